import { DeterminismViolationError } from '@temporalio/workflow';
import type { JsonObject } from '../../agent/values/json';
import { SILENT_LOG } from '../../runtime/log';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { Replayer } from '../../workers/replay/replayer';
import { readCarried, resumedState } from '../../workflows/run/carry/resume';
import {
  carriedNames,
  fixtureNames,
  historyFromJson,
  NEXT,
  payloadTexts,
  readCarriedFixture,
  readFixture,
  versions,
} from './fixtures';
import { RUNS } from './runs';

let replayer: Replayer;
beforeAll(() => {
  installTemporalRuntime({ log: SILENT_LOG });
  replayer = new Replayer();
});
afterAll(() => replayer.close());

async function replay(history: { events: JsonObject[] }): Promise<void> {
  // The ids of children are derived from it.
  const id = (history.events[0]?.workflowExecutionStartedEventAttributes as JsonObject | undefined)?.workflowId;
  await replayer.replay({ workflowId: String(id), history: historyFromJson(history) });
}

it('has a fixture of every kind of run, and no others', () => {
  expect(fixtureNames(NEXT).sort()).toEqual(Object.keys(RUNS).sort());
});

describe.each(versions())('of the version %s', (version) => {
  it.each(fixtureNames(version))('decides in %s as it did when it was recorded', async (name) => {
    await replay(readFixture(name, version));
  });

  it.each([...fixtureNames(version), ...carriedNames(version)])(
    'keeps no trace in %s of the machine that recorded it',
    (name) => {
      const history = readFixture(name, version) as unknown as JsonObject;
      // Payloads are checked in decoded form: their base64 may contain anything.
      const json = JSON.stringify(history, (key, value: unknown) => (key === 'data' ? '' : value));
      for (const text of [json, ...payloadTexts(history)]) {
        expect(text).not.toMatch(/\/(home|root|Users|work|tmp|var|usr|opt)\/|[A-Z]:\\/);
        // Identities are `pid@host`, and sticky task queues begin with one.
        expect(text).not.toMatch(/\b\d+@[A-Za-z]/);
      }
    },
  );
});

describe.each(versions().filter((version) => carriedNames(version).length > 0))('of the version %s', (version) => {
  it.each(carriedNames(version))('goes on with %s, which another run has passed on', (name) => {
    const given = readCarriedFixture(name, version);
    const read = readCarried(given, String(given.runId));
    if (read.type !== 'carried') throw new Error('It is not taken for a value of the run before');
    const { chain, ...state } = resumedState(read.carried);
    expect(state.messages).toHaveLength(chain.at(-1)?.messages ?? 0);
    expect(state.batch).toEqual(given.batch);
    expect(state).toMatchObject(given.waiting as object);
  });
});

describe('a replay fails', () => {
  const scheduledOf = (events: JsonObject[], type: string): JsonObject => {
    const found = events
      .map((event) => event.activityTaskScheduledEventAttributes as JsonObject | undefined)
      .find((attributes) => (attributes?.activityType as JsonObject | undefined)?.name === type);
    if (found === undefined) throw new Error(`No ${type} was scheduled`);
    return found;
  };

  it('when another activity was scheduled then', async () => {
    const history = readFixture('answers/plain-answer');
    scheduledOf(history.events, 'holdfast.buildContext').activityType = { name: 'holdfast.buildOutput' };
    await expect(replay(history)).rejects.toThrow(DeterminismViolationError);
  });

  it('when a tool call had another id then', async () => {
    const history = readFixture('calls/tools-in-parallel');
    scheduledOf(history.events, 'lines.ask').activityId = 't1.9';
    await expect(replay(history)).rejects.toThrow(DeterminismViolationError);
  });

  it('when the run failed then', async () => {
    const history = readFixture('answers/plain-answer');
    const last = history.events.at(-1) as JsonObject;
    delete last.workflowExecutionCompletedEventAttributes;
    last.eventType = 'EVENT_TYPE_WORKFLOW_EXECUTION_FAILED';
    last.workflowExecutionFailedEventAttributes = { failure: { message: 'x' }, retryState: 'RETRY_STATE_TIMEOUT' };
    await expect(replay(history)).rejects.toThrow(DeterminismViolationError);
  });
});

import { defaultPayloadConverter } from '@temporalio/common';
import type { ModelAnswer } from '../../../agent/model/answer';
import type { RunHandle } from '../../../client/runs/run-handle';
import { hashOfArguments } from '../../../runtime/sha256';
import { factsOf } from '../../facts';
import type { ModelReply } from '../../kit/model-reply';
import { call, calls, text } from '../../kit/scripted-model';
import { until } from '../../until';
import { type Turn, unending } from '../stage/run-scripts';
import { Stage } from '../stage/stage';
import type { WorkerChild } from '../stage/worker-child';

/** The first attempt never ends, the next ones answer. */
const cutOnce =
  (reply: ModelReply): Turn =>
  ({ attempt }) =>
    attempt === 1 ? unending(['half an ', 'answer']) : reply;

const ANSWER: ModelAnswer = {
  type: 'tool_call',
  parts: [],
  toolRequests: [{ name: 'look', input: { item: 'a' }, hash: hashOfArguments({ item: 'a' }) }],
  finishReason: 'tool_calls',
  usage: { prompt: 7, completion: 3 },
  executionUnits: 10,
  model: 'scripted',
};

// Many calls wait at the same time before the worker is killed.
jest.setTimeout(180_000);

/** One worker with a run at each kind of place is killed, once; another one takes over all runs. */
describe('a worker that is killed', () => {
  let stage: Stage;
  let first: WorkerChild;
  let second: WorkerChild;
  const runs: { [name: string]: RunHandle<unknown> } = {};
  const heartbeatOf = async (id: string) => {
    const { raw } = await stage.client.temporal.workflow.getHandle(id).describe();
    const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
    return JSON.stringify(payload === undefined ? null : defaultPayloadConverter.fromPayload(payload)) ?? '';
  };
  const run = (name: string) => runs[name] as RunHandle<unknown>;

  beforeAll(async () => {
    stage = await Stage.open();
    first = await stage.worker();
    const [wait, quick] = [{ item: 'a', mode: 'wait' }, { item: 'quick' }];
    const waiting = (tool: string) => call(tool, wait);
    const start = async (name: string, ...turns: Turn[]) => {
      runs[name] = await stage.start(name, ...turns);
    };
    await start(
      'thinking',
      call('look', { item: 'a' }),
      cutOnce(text('thought', { usage: { prompt: 9, completion: 3 } })),
    );
    await start('reading', waiting('look'), text('read'));
    await start('putting', waiting('put'), text('put'));
    await start('paying', waiting('pay'), waiting('pay'), call('pay', { item: 'b' }), text('paid'));
    await start('batch', calls(['pay', wait], ['nothing'], ['look', wait], ['pay', quick], ['put', wait]), text('all'));
    await start('after-tool', waiting('look'), text('went on'));
    await start('after-answer', unending(['never heard']), text('went on'));
    runs.init = await stage.startBuilder('init', 'wait', text('begun'));
    runs.finish = await stage.startBuilder('finish', 'quick', text('wait: finished'));

    await stage.model.arrival('thinking', 2);
    await stage.started('reading', 'look');
    await stage.started('putting', 'put');
    await stage.started('paying', 'pay');
    await stage.started('batch', 'pay', 2);
    await stage.started('batch', 'look');
    await stage.started('batch', 'put');
    await stage.started('after-tool', 'look');
    await stage.model.arrival('after-answer', 1);
    await stage.started('init', 'contextBuilder');
    await stage.started('finish', 'outputBuilder');
    await until(async () => (await heartbeatOf('thinking')).includes('spending'), 'the cost in a heartbeat');
    await first.kill();

    // The last report of the worker before its death, when no worker is left to continue.
    const { activity } = stage.client.temporal;
    await activity.complete(
      { workflowId: 'after-tool', activityId: 't1.1' },
      { content: [{ type: 'text', text: 'seen' }] },
    );
    await activity.complete({ workflowId: 'after-answer', activityId: 'call-1' }, ANSWER);
    stage.release('reading', 'putting', 'batch', 'init', 'finish');
    second = await stage.worker();
    await Promise.allSettled(Object.values(runs).map((r) => r.result()));
  });
  afterAll(() => stage.close());

  it('in the middle of a streaming answer: the call is made again, and only once', async () => {
    expect(await run('thinking').result()).toMatchObject({ data: 'thought' });
    await stage.checked(run('thinking'));
    expect(stage.model.requests('thinking').map(({ turn, attempt }) => [turn, attempt])).toEqual([
      [1, 1],
      [2, 1],
      [2, 2],
    ]);
    const [, before, after] = stage.model.requests('thinking');
    expect(after?.recorded.body).toEqual(before?.recorded.body);
  });

  it('in the middle of a streaming answer: its tokens count, as its last heartbeat knew them', async () => {
    const [, usage] = await factsOf(run('thinking'), 'usage');
    // The 14 characters of the first attempt, and the report of the second.
    expect(usage?.usage).toEqual({ prompt: expect.any(Number), completion: 4 + 3, estimated: true });
  });

  it.each([
    ['reading', 'look'],
    ['putting', 'put'],
  ])('in the middle of a tool that may be repeated (%s): it runs again under one key', async (name, tool) => {
    await run(name).result();
    await stage.checked(run(name));
    const starts = stage.lines(name, 'start');
    expect(starts.map(({ tool, attempt, pid }) => [tool, attempt, pid])).toEqual([
      [tool, 1, first.pid],
      [tool, 2, second.pid],
    ]);
    expect(new Set(starts.map(({ key }) => key)).size).toBe(1);
    expect(starts[0]?.key).toMatch(/^[0-9a-f-]{36}\/[0-9a-f]{32}\/t1\.1$/);
    expect(stage.model.told(name, 2)).toEqual([`${tool} a: done`]);
  });

  it('in the middle of a tool that must not be repeated: it does not run again, and the model is told', async () => {
    expect(await run('paying').result()).toMatchObject({ data: 'paid' });
    const facts = await stage.checked(run('paying'));
    expect(facts.flatMap((f) => (f.type === 'tool.error' ? [[f.toolUseId, f.error.type]] : []))).toEqual([
      ['t1.1', 'OutcomeUnknown'],
      ['t2.1', 'OutcomeUnknown'],
    ]);
    const [told] = stage.model.told('paying', 2);
    expect(told).toContain('It is unknown whether `pay` took effect');
    expect(told).toContain('its worker died');
  });

  it('the same call after an unknown outcome is refused with the reason, another call of that tool runs', async () => {
    const [refused] = stage.model.told('paying', 3);
    expect(refused).toContain('`pay` was not run: it is unknown whether the same call t1.1 took effect');
    expect(stage.model.told('paying', 4)).toEqual(['pay b: done']);
    expect(stage.lines('paying', 'start').map(({ toolUseId, pid }) => [toolUseId, pid])).toEqual([
      ['t1.1', first.pid],
      ['t3.1', second.pid],
    ]);
    expect((await run('paying').state()).unknownOutcomes).toMatchObject([{ toolUseId: 't1.1', name: 'pay' }]);
  });

  it('in the middle of a batch: finished results stay, and the results keep the order of the calls', async () => {
    await run('batch').result();
    const facts = await stage.checked(run('batch'));
    const told = stage.model.told('batch', 2);
    expect(told.map((result) => result.slice(0, 32))).toEqual([
      expect.stringContaining('It is unknown whether `pay`'),
      'There is no tool named `nothing`',
      'look a: done',
      'pay quick: done',
      'put a: done',
    ]);
    expect(facts.filter((fact) => fact.type === 'tool.call')).toHaveLength(5);
    const pays = stage.lines('batch', 'start').filter(({ tool }) => tool === 'pay');
    expect(pays.map(({ toolUseId }) => toolUseId).sort()).toEqual(['t1.1', 't1.4']);
  });

  it('between a tool result and the next call: the run continues from the result', async () => {
    expect(await run('after-tool').result()).toMatchObject({ data: 'went on' });
    await stage.checked(run('after-tool'));
    expect(stage.lines('after-tool', 'start')).toHaveLength(1);
    expect(stage.model.told('after-tool', 2)).toEqual(['seen']);
  });

  it('between an answer and its tool calls: the model is not called again', async () => {
    expect(await run('after-answer').result()).toMatchObject({ data: 'went on' });
    await stage.checked(run('after-answer'));
    expect(stage.model.requests('after-answer').map(({ turn, attempt }) => [turn, attempt])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(stage.lines('after-answer', 'start')).toMatchObject([{ tool: 'look', pid: second.pid }]);
  });

  it.each([
    ['init', 'contextBuilder', 'begun'],
    ['finish', 'outputBuilder', 'wait: finished'],
  ])('in the middle of a builder (%s): it runs again', async (name, tool, data) => {
    expect(await run(name).result()).toMatchObject({ data });
    await stage.checked(run(name));
    const starts = stage.lines(name, 'start').filter((line) => line.tool === tool);
    expect(starts.map(({ pid }) => pid)).toEqual([first.pid, second.pid]);
  });
});

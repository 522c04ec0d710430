import fc from 'fast-check';
import { HoldfastError } from '../../../../agent/errors/error';
import { checkEvent } from '../../../../agent/protocol/event';
import type { AgentState } from '../../../../agent/state/state';
import { isJsonObject } from '../../../../agent/values/json';
import { Unreadable } from '../../../../agent/values/unreadable';
import { carry } from '../../../../workflows/run/carry/carry';
import { readCarried } from '../../../../workflows/run/carry/resume';
import { step } from '../../../../workflows/state/reduce';
import { runState } from '../../state-data';
import { carriedOf, handedOn, inNextRun, pinned, QUIET, RUN_ID, resumed } from './carried-data';
import { RandomRun, TOOLS } from './random-run';
import { EVENTS } from './run-events';

const run = new RandomRun();
// A state with something in each part.
for (const [name, size] of [
  ...[
    ['send', 0],
    ['begin', 0],
    ['call', 0],
    ['act', 0b1],
    ['settle', 1],
    ['call', 0],
    ['say', 0],
  ],
  ...[
    ['send', 0],
    ['begin', 0],
    ['call', 0],
    ['act', 0b11110100],
    ['askApproval', 0],
    ['callService', 0],
  ],
  ...[
    ['settle', 1],
    ['send', 0],
    ['steer', 0],
    ['undo', 1],
    ['measure', 1],
    ['grant', 1],
    ['ignore', 1],
    ['rename', 0],
  ],
] as [keyof typeof EVENTS, number][])
  EVENTS[name](run, size);
for (const { toolUseId, approval } of run.open(0)) if (approval === undefined) run.settle(toolUseId);
const { state } = run;
const updates = [{ id: 'u', error: { type: 'RunEnded', message: 'no', data: {} } }];
const carried = carriedOf(state, { updates });

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('the state of the tests has something in each part', () => {
  const { transcript, batch, waiting, effects } = carried;
  for (const part of [transcript.messages, batch, waiting.inbox, waiting.steers, waiting.notes, effects]) {
    expect(part.length).toBeGreaterThan(0);
  }
  expect(resumed(handedOn(carried), pinned(state))).toEqual(inNextRun(state));
});

test('what a run derives from its event and its memo is derived again', () => {
  const event = checkEvent({
    ...{ specversion: '1.0', id: 'e1', source: 's', subject: 'run-1', type: 'arvo.orc.test.agent', redirectto: 'else' },
    data: { text: 'go', parentSubject$$: 'run-0' },
  });
  const given = { event, metadata: { tenant: 7 } };
  const { state: started } = step(runState(TOOLS), { type: 'started', given, lineage: 'test.boss' });
  expect(started).toMatchObject({ initiator: { id: 'e1' }, above: ['test.boss'], parentSubject: 'run-0' });
  const handed = handedOn(carriedOf(started));
  expect(JSON.stringify(handed)).not.toContain('tenant');
  const again = pinned(started, { input: given, lineage: 'test.boss' });
  expect(resumed(handed, again)).toStrictEqual(inNextRun(started));
});

test('another version is refused with advice', () => {
  const error = errorOf(() => readCarried({ version: 2, runId: RUN_ID, all: 'else' }, RUN_ID));
  expect(error).toBeInstanceOf(HoldfastError);
  expect(error).toMatchObject({ type: 'UnknownStateVersion', data: { version: 2, known: 1 } });
  expect(String(error)).toContain('Deploy workers with at least the version of Holdfast that wrote it');
});

test('a run that continues another run than the one that wrote the value starts over', () => {
  expect(readCarried(handedOn(carried), 'two')).toEqual({ type: 'startOver', runId: 'two' });
  // Then no other field of it is read.
  expect(readCarried({ version: 2, runId: RUN_ID }, 'two')).toEqual({ type: 'startOver', runId: 'two' });
});

test('a value with which no run was continued is refused with advice', () => {
  expect(errorOf(() => readCarried(handedOn(carried), undefined))).toMatchObject({
    type: 'InvalidCarriedState',
    data: { problem: expect.stringContaining('start the run with `{"input": …}`') },
  });
});

test('fields that this version does not know do not get into the state', () => {
  const strange = { end: { reason: 'completed' }, manifest: null, input: 'mine', owner: 'eve' };
  const given = { ...handedOn(carried), strange, state: { ...handedOn(carried.state), ...strange } };
  expect(resumed(given, pinned(state))).toEqual(inNextRun(state));
});

test.each<[string, unknown]>([
  ['it is not an object', null],
  ['it is not an object', [carried]],
  ['Expected `version` to be a whole number', { runId: RUN_ID }],
  ['Expected `version` to be a whole number', { ...carried, version: '1' }],
  ['Expected `version` to be a whole number', { ...carried, version: 1.5 }],
  ['Expected `runId` to be a non-empty string', { ...carried, runId: '' }],
  ['Expected `runId` to be a non-empty string', { ...carried, runId: 7 }],
  ['Expected `carried.batch` to be a list', { ...carried, batch: { length: 1 } }],
  [
    'Expected `carried.state.turn` to be a whole number of at least 0',
    { ...carried, state: { ...carried.state, turn: -1 } },
  ],
  [
    'Expected `carried.transcript` to end with message ',
    { ...carried, transcript: { ...carried.transcript, first: 3 } },
  ],
  [
    'Expected `carried.transcript` to end with message undefined, not ',
    { ...carried, state: { ...carried.state, chain: [] } },
  ],
  [
    'Expected `carried.transcript.pinned` to come before message 0, not at 7',
    {
      ...carried,
      transcript: { ...carried.transcript, pinned: [{ index: 7, message: carried.transcript.messages[0] }] },
    },
  ],
])('a damaged value is refused with its problem: %s', (problem, given) => {
  const error = errorOf(() => resumed(given, pinned(state)));
  expect(error).toMatchObject({ type: 'InvalidCarriedState', data: { problem: expect.stringContaining(problem) } });
});

test('a value that is nested too deep or cannot be decoded is refused with its problem', () => {
  const providerData = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
  const [message, ...others] = carried.transcript.messages;
  const transcript = { ...carried.transcript, messages: [{ ...message, providerData }, ...others] };
  const error = errorOf(() => readCarried({ ...carried, transcript }, RUN_ID));
  expect(error).toMatchObject({
    type: 'InvalidCarriedState',
    data: { problem: 'it is nested deeper than 250 levels' },
  });
  const unreadable = new Unreadable('its encoding is not known');
  expect(errorOf(() => readCarried(unreadable, RUN_ID))).toMatchObject({
    type: 'UnreadablePayload',
    data: { what: 'the state of the run before', problem: 'its encoding is not known' },
  });
});

/** The paths of all values in a value. */
function placesIn(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  const inner = Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  return [at, ...inner.flatMap(([key, item]) => placesIn(item, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? replaced(item, rest, by) : item));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, name === key ? replaced(item, rest, by) : item]);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

test('any damaged or replaced value is refused by name or gives a run that goes on', () => {
  const damage = fc.oneof(
    fc.constantFrom(undefined, null, 0, -1, 'x', '__proto__', true, [], {}, [[]], { type: 'text' }),
    fc.jsonValue(),
  );
  const property = fc.property(fc.constantFrom(...placesIn(handedOn(carried))), damage, (place, by) => {
    const given = replaced(handedOn(carried), place, by);
    const result = errorOf(() => resumed(given, pinned(state)));
    // Another run has written it.
    if (isJsonObject(given) && typeof given.runId === 'string' && ![RUN_ID, ''].includes(given.runId)) {
      expect(readCarried(given, RUN_ID)).toEqual({ type: 'startOver', runId: RUN_ID });
      return;
    }
    if (result instanceof Error) {
      expect(result).toBeInstanceOf(HoldfastError);
      expect(result).toMatchObject({ message: expect.stringMatching(/\. .*\.$/) });
      return;
    }
    // An accepted value has the form that all code relies on.
    carry(result as AgentState, QUIET);
  });
  fc.assert(property, { numRuns: 2000 });
});

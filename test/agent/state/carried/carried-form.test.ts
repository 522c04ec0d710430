import { carriedForm } from '../../../../agent/state/carried/carried-form';
import { isJsonObject } from '../../../../agent/values/json';
import { FULL, nameOf, OPTIONAL, type Place, placesOf, valueAt, withAt } from './full-run';

const problemOf = (value: unknown) => carriedForm(value, 'carried');
const isUpdate = ([part]: Place) => part === 'updates';
const places = placesOf(FULL).filter((place) => !isUpdate(place) || place.length === 1);

/** Records of the state: each of their entries may be missing. */
const RECORDS: ReadonlySet<string | number> = new Set([
  ...['taken', 'decided', 'replied', 'ignored', 'unknownSignals', 'downgrades', 'reserved'],
]);

/** Whether it is a field, and not an item of a list or of a record. */
const isField = (place: Place) => typeof place.at(-1) === 'string' && !RECORDS.has(place.at(-2) ?? '');

test('a run is carried with every field that it may have, and with fields of a newer worker', () => {
  expect(problemOf(FULL)).toBeUndefined();
  for (const place of places) {
    const value = valueAt(FULL, place);
    const isRecord = RECORDS.has(place.at(-1) ?? '');
    if (!isJsonObject(value) || isRecord) continue;
    expect(problemOf(withAt(FULL, [...place, 'newer'], 1))).toBeUndefined();
  }
});

test('some fields may be missing; any other missing field is named', () => {
  const without = (place: Place) => problemOf(withAt(FULL, place, undefined));
  const fields = places.filter(isField);
  const optional = fields.filter((place) => without(place) === undefined);
  expect(optional.map(nameOf).sort()).toEqual(OPTIONAL);
  for (const place of fields.filter((one) => !optional.includes(one))) {
    expect(without(place)).toMatch(`Expected \`${nameOf(place)}\` to be `);
  }
});

test('a value of a wrong type is named with its place', () => {
  for (const place of places) {
    const value = valueAt(FULL, place);
    // Free JSON may be anything, if it is present.
    if (place.at(-1) === 'data' && typeof value === 'object') continue;
    const wrong = typeof value === 'string' ? 7 : 'x';
    expect(problemOf(withAt(FULL, place, wrong))).toMatch(`Expected \`${nameOf(place)}\` to be `);
    expect(problemOf(withAt(FULL, place, null))).toMatch(`Expected \`${nameOf(place)}\` to be `);
    // For these fields absence means `false`.
    if (value === true && ['partial', 'isError'].includes(String(place.at(-1)))) {
      expect(problemOf(withAt(FULL, place, false))).toBe(`Expected \`${nameOf(place)}\` to be true`);
    }
  }
});

test.each<[string, Place, string[]]>([
  ['a role', ['transcript', 'messages', 0, 'role'], ['user', 'assistant']],
  ['a lifecycle', ['state', 'lifecycle'], ['init', 'message', 'tool_result', 'output_error_feedback']],
  ['a phase', ['state', 'phase', 'at'], ['idle', 'working']],
  ['why it closes', ['state', 'closing', 'why'], ['closed', 'idle']],
  ['a decision', ['state', 'decided', 't1.1', 'decision'], ['approve', 'deny', 'edit', 'expired']],
  ['an end', ['state', 'replied', 't1.2', 'action'], ['answered', 'declined', 'expired', 'withdrawn']],
  [
    'the end of a question',
    ['batch', 0, 'questions', 0, 'reply', 'action'],
    ['answered', 'declined', 'expired', 'withdrawn'],
  ],
  ['what became of an undo', ['effects', 0, 'undone', 'outcome'], ['done', 'failed', 'unknown']],
])('%s is one of the names that this version knows', (_, place, names) => {
  for (const name of names) expect(problemOf(withAt(FULL, place, name))).toBeUndefined();
  expect(problemOf(withAt(FULL, place, 'newer'))).toBe(
    `Expected \`${nameOf(place)}\` to be one of ${names.join(', ')}`,
  );
});

test('names of errors and of ways to count may be newer than this version', () => {
  for (const place of [
    ['batch', 1, 'problem', 'type'],
    ['batch', 2, 'outcome', 'error', 'type'],
    ['state', 'budget', 'counted'],
  ]) {
    expect(problemOf(withAt(FULL, place, 'newer'))).toBeUndefined();
  }
});

test.each<[string, Place, string]>([
  [
    'a part of a message',
    ['transcript', 'messages', 0, 'parts', 0, 'type'],
    'text, media, reasoning, tool_use, tool_result',
  ],
  ['a part of a result', ['batch', 2, 'outcome', 'content', 0, 'type'], 'text, media'],
  ['a part of a message that waits', ['waiting', 'steers', 0, 'parts', 0, 'type'], 'text, media'],
  ['a call', ['batch', 0, 'status'], 'open, rejected, settled'],
])('%s is of a kind that this version knows', (_, place, kinds) => {
  expect(problemOf(withAt(FULL, place, 'newer'))).toBe(`Expected \`${nameOf(place)}\` to be one of ${kinds}`);
});

test.each(
  (
    [
      ['transcript', 'first'],
      ['transcript', 'pinned', 0, 'index'],
      ['state', 'continued'],
      ['state', 'chain', 0, 'facts'],
      ['state', 'chain', 0, 'messages'],
      ['transcript', 'messages', 0, 'turn'],
      ['waiting', 'inbox', 0, 'exchange'],
      ['waiting', 'inbox', 0, 'regenerates'],
      ['answer', 'exchange'],
      ['state', 'epoch'],
      ['state', 'exchange'],
      ['state', 'turn'],
      ['state', 'model'],
      ['state', 'facts'],
      ['state', 'taken', 'm1', 'after'],
      ['state', 'toolInteractions', 'current'],
      ['state', 'rejected', 'attempts'],
      ['state', 'sent', 'length'],
      ['state', 'trimming', 'from'],
    ] as Place[]
  ).map((place) => [nameOf(place), place] as const),
)('what is counted is a whole number: %s', (_, place) => {
  for (const wrong of [-1, 1.5]) {
    expect(problemOf(withAt(FULL, place, wrong))).toBe(
      `Expected \`${nameOf(place)}\` to be a whole number of at least 0`,
    );
  }
});

test('before the first exchange none is open, and costs may be fractions of a unit', () => {
  expect(problemOf(withAt(FULL, ['state', 'opened'], -1))).toBeUndefined();
  expect(problemOf(withAt(FULL, ['state', 'executionUnits'], 0.5))).toBeUndefined();
});

test('only this version is read', () => {
  expect(problemOf(withAt(FULL, ['version'], 2))).toBe('Expected `carried.version` to be 1');
});

test.each<unknown>([
  { id: 'u1' },
  { value: 1 },
  { id: 1, value: 1 },
  { id: 'u1', dropped: false },
  { id: 'u1', error: { type: 'RunEnded', message: 'no' } },
  { id: 'u1', error: { type: 'RunEnded', data: {} } },
  { id: 'u1', error: { message: 'no', data: {} } },
  { id: 'u1', error: { type: 'RunEnded', message: 'no', data: [] } },
])('an update without an outcome is refused: %j', (update) => {
  expect(problemOf({ ...FULL, updates: [FULL.updates[0], update] })).toBe(
    'Expected `carried.updates[1]` to be an update with `value`, `error` or `dropped`',
  );
});

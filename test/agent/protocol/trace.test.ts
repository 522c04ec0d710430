import fc from 'fast-check';
import {
  below,
  callerOf,
  formatTraceparent,
  parseTraceparent,
  runTrace,
  SPAN_KEY,
  traceparentOf,
} from '../../../agent/protocol/trace';
import type { AgentState } from '../../../agent/state/state';
import { runState } from '../../workflows/state-data';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const OTHER = '00-11111111111111111111111111111111-2222222222222222-00';
const place = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true };

test('reads what W3C Trace Context calls valid', () => {
  expect(parseTraceparent(CALLER)).toEqual(place);
  // A later version may have more fields.
  expect(parseTraceparent(`cc${CALLER.slice(2)}-more`)).toEqual(place);
});

test.each([
  ['00', false],
  ['01', true],
  ['02', false],
  ['03', true],
  ['0f', true],
  ['f0', false],
  ['ff', true],
])('only the last bit of the flags %s asks for spans: %s', (flags, sampled) => {
  expect(parseTraceparent(CALLER.replace(/01$/, flags))).toEqual({ ...place, sampled });
});

test.each([
  undefined,
  '',
  'nonsense',
  `ff${CALLER.slice(2)}`,
  ` ${CALLER}`,
  `${CALLER}0`,
  CALLER.slice(1),
  CALLER.slice(0, -1),
  CALLER.toUpperCase(),
  CALLER.replace('0af', '0ag'),
  CALLER.replace('b7ad6b7169203331', '0'.repeat(16)),
  CALLER.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
])('%s is not a position in a trace', (bad) => {
  expect(parseTraceparent(bad)).toBeUndefined();
});

test('an id may have zeros at its beginning and its end', () => {
  const [traceId, spanId] = [`${'0'.repeat(15)}7${'0'.repeat(16)}`, `${'0'.repeat(15)}1`];
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
});

test('a position is written as in the standard', () => {
  expect(formatTraceparent(place)).toBe(CALLER);
  expect(formatTraceparent({ ...place, sampled: false })).toBe(CALLER.replace(/01$/, '00'));
});

test('a written position is parsed to the same', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.constantFrom(CALLER, OTHER), { nil: undefined }), (id, caller) => {
      const run = runTrace(id, caller);
      expect(parseTraceparent(formatTraceparent(run))).toEqual(run);
    }),
  );
});

test('a run is in the trace of its caller, or begins a trace', () => {
  const run = runTrace('first', undefined);
  // Workers of other builds and earlier spans of the run have these ids.
  expect(run).toEqual({ traceId: '9eebe28bf3b484678ca6863709b723ba', spanId: '827259f12d362356', sampled: true });
  expect(runTrace('first', CALLER)).toEqual({ ...place, spanId: run.spanId });
  expect(runTrace('first', OTHER)).toEqual({ traceId: '1'.repeat(32), spanId: run.spanId, sampled: false });
  expect(runTrace('first', 'nonsense')).toEqual(run);
});

test('spans below a run are in its trace', () => {
  expect(below(place, SPAN_KEY.turn(1))).toEqual({ ...place, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(below({ ...place, sampled: false }, 'x').sampled).toBe(false);
  expect(below(runTrace('first', undefined), SPAN_KEY.tool('t1.1')).spanId).toBe('9fe51e97ee389778');
});

test('the span of a tool call is its first attempt by default', () => {
  expect(SPAN_KEY.tool('t1.1')).toBe(SPAN_KEY.tool('t1.1', 1));
});

test('ids derive from run, call and attempt: equal ones give equal ids, others give others', () => {
  const ids = ['run-a', 'run-b'].flatMap((id) => {
    const run = runTrace(id, undefined);
    expect(run).toEqual(runTrace(id, undefined));
    const keys = [1, 2].flatMap((n) => [
      SPAN_KEY.turn(n),
      SPAN_KEY.llm(`call-${n}`, 1, 1),
      SPAN_KEY.llm(`call-${n}`, 1, 2),
      SPAN_KEY.llm(`call-${n}`, 2, 1),
      SPAN_KEY.tool(`t${n}.1`),
      SPAN_KEY.tool(`t${n}.1`, 2),
      SPAN_KEY.approval(`t${n}.1`),
    ]);
    return [run.spanId, ...keys.map((key) => below(run, key).spanId)];
  });
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
});

test('the caller of a run is the one in its input, or else the one in the event that started it', () => {
  const initiator = { traceparent: OTHER } as NonNullable<AgentState['initiator']>;
  expect(callerOf({ traceparent: CALLER, initiator })).toBe(CALLER);
  expect(callerOf({ initiator })).toBe(OTHER);
  expect(callerOf({})).toBeUndefined();
});

describe('a run passes on', () => {
  const plain = runState([], { traceparent: CALLER });
  const { manifest: _, ...fresh } = plain;
  const traced = { ...plain, manifest: { ...plain.manifest, traced: true } as NonNullable<AgentState['manifest']> };

  test('the position that it was given, if it makes no spans', () => {
    expect(traceparentOf(plain, 't1.1')).toBe(CALLER);
    expect(traceparentOf(fresh, 't1.1')).toBe(CALLER);
    expect(traceparentOf(runState(), 't1.1')).toBeUndefined();
  });

  test('its own position, if it makes spans', () => {
    const run = runTrace('first', CALLER);
    expect(traceparentOf(traced)).toBe(formatTraceparent(run));
    expect(traceparentOf(traced, 't1.1')).toBe(formatTraceparent(below(run, 'tool/t1.1/1')));
    const { context: _, ...early } = traced;
    expect(traceparentOf(early)).toBe(formatTraceparent(run));
  });

  test('the decision of the sampler when the run began', () => {
    const unwanted = formatTraceparent({ ...runTrace('first', CALLER), sampled: false });
    expect(traceparentOf({ ...traced, context: { metadata: {}, traceparent: unwanted } })).toBe(unwanted);
  });
});

import fc from 'fast-check';
import {
  below,
  formatTraceparent,
  parseTraceparent,
  runTrace,
  SPAN_KEY,
  traceparentOf,
} from '../../../agent/protocol/trace';
import { runState } from '../../workflows/state-data';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('reads what W3C Trace Context calls valid, and nothing else', () => {
  expect(parseTraceparent(CALLER)).toEqual({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    sampled: true,
  });
  expect(parseTraceparent(CALLER.replace(/01$/, '00'))?.sampled).toBe(false);
  // A later version may say more.
  expect(parseTraceparent(`cc${CALLER.slice(2)}-more`)?.spanId).toBe('b7ad6b7169203331');
  for (const bad of [
    undefined,
    '',
    'nonsense',
    `ff${CALLER.slice(2)}`,
    CALLER.toUpperCase(),
    CALLER.replace('b7ad6b7169203331', '0'.repeat(16)),
    CALLER.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
  ]) {
    expect(parseTraceparent(bad)).toBeUndefined();
  }
});

test('what is written is read as the same', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.constant(CALLER), { nil: undefined }), (id, caller) => {
      const run = runTrace(id, caller);
      expect(parseTraceparent(formatTraceparent(run))).toEqual(run);
    }),
  );
});

test('ids derive from run, call and attempt: the same give the same, others give others', () => {
  const ids = ['run-a', 'run-b'].flatMap((id) => {
    const run = runTrace(id, undefined);
    expect(run).toEqual(runTrace(id, undefined));
    const keys = [1, 2].flatMap((n) => [
      SPAN_KEY.turn(n),
      SPAN_KEY.llm(`call-${n}`, 1),
      SPAN_KEY.llm(`call-${n}`, 2),
      SPAN_KEY.tool(`t${n}.1`),
      SPAN_KEY.tool(`t${n}.1`, 2),
      SPAN_KEY.approval(`t${n}.1`),
    ]);
    return [run.spanId, ...keys.map((key) => below(run, key).spanId)];
  });
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
});

test('a run with spans hands on its own place, one without what it was given', () => {
  const plain = runState([], { traceparent: CALLER });
  expect(traceparentOf(plain, 't1.1')).toBe(CALLER);
  expect(traceparentOf(runState(), 't1.1')).toBeUndefined();
  const { manifest } = plain;
  if (manifest === undefined) throw new Error('no manifest');
  const traced = { ...plain, manifest: { ...manifest, traced: true as const } };
  const run = runTrace('first', CALLER);
  expect(traceparentOf(traced)).toBe(formatTraceparent(run));
  expect(traceparentOf(traced, 't1.1')).toBe(formatTraceparent(below(run, 'tool/t1.1/1')));
  // What the sampler decided when the run began holds.
  const unwanted = formatTraceparent({ ...run, sampled: false });
  expect(traceparentOf({ ...traced, context: { metadata: {}, traceparent: unwanted } })).toBe(unwanted);
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Message, Part } from '../../../../agent/model/message';
import { firstHere, GONE, withGone } from '../../../../agent/model/transcript';
import type { CarriedTranscript } from '../../../../agent/state/carried/carried';
import type { AgentState } from '../../../../agent/state/state';
import { jsonBytes } from '../../../../agent/values/json';
import { firstSent, pinnedBefore } from '../../../../agent/window/cut';
import { keepTranscript } from '../../../../workflows/run/carry/keep-transcript';
import { assertEveryCase } from '../../../every-case';
import { runState } from '../../state-data';

const MAX = 60_000;
const AGAIN = 90_000;

const sizes = fc.oneof(
  { weight: 20, arbitrary: fc.nat({ max: 900 }) },
  { weight: 20, arbitrary: fc.nat({ max: 40_000 }) },
  // More than may be read again.
  { weight: 1, arbitrary: fc.constant(160_000) },
);

/** Exchanges with calls and results. */
const transcripts = fc
  .array(fc.tuple(fc.constantFrom('ask', 'call', 'say'), sizes), {
    minLength: 1,
    maxLength: 60,
    size: 'max',
  })
  .map((turns) => turns.flatMap(([kind, size], turn) => messagesOf(kind, size, turn)));

function messagesOf(kind: string, size: number, turn: number): Message[] {
  const text: Part = { type: 'text', text: 'x'.repeat(size) };
  if (kind === 'ask') return [{ role: 'user', parts: [text], turn }];
  if (kind === 'say') return [{ role: 'assistant', parts: [text], turn }];
  const use = { toolUseId: `t${turn}.1`, name: 'look' };
  return [
    { role: 'assistant', parts: [{ type: 'tool_use', ...use, input: {} }], turn },
    { role: 'user', parts: [{ type: 'tool_result', ...use, content: [text] }], turn },
  ];
}

const isQuestion = ({ role, parts }: Message) => role === 'user' && parts.every(({ type }) => type === 'text');

function stateOf(messages: Message[], from: number): AgentState {
  const opened = messages.findLastIndex(isQuestion);
  return runState([], { messages, opened, trimming: { from: Math.min(from, messages.length - 1) } });
}

/** The messages as the next run has them. */
function handed({ first, pinned, messages, large = [] }: CarriedTranscript, whole: readonly Message[]): Message[] {
  const next = [...withGone(first, pinned), ...messages];
  for (const index of large) next[index] = whole[index] ?? GONE;
  return next;
}

test('a carried transcript fits, keeps its indices, and has all that models read', () => {
  const seen = { kept: 0, some: 0, large: 0, from: 0, bytes: 0 };
  const property = fc.property(transcripts, fc.nat({ max: 60 }), (messages, from) => {
    const state = stateOf(messages, from);
    const verdict = keepTranscript(state, MAX, AGAIN);
    if ('bytes' in verdict) {
      seen.bytes++;
      expect(verdict.bytes).toBeGreaterThan(MAX);
      return;
    }
    if ('from' in verdict) {
      seen.from++;
      expect(verdict.from).toBeGreaterThan(firstSent({ ...state, from: state.trimming.from }));
      expect(keepTranscript({ ...state, trimming: { from: verdict.from } }, MAX, AGAIN)).toHaveProperty('kept');
      return;
    }
    const { kept } = verdict;
    const { first, ...lists } = kept;
    seen.kept++;
    if (first > 0) seen.some++;
    if (kept.large) seen.large++;
    // Apart from the names of the lists.
    const bytes = Object.values(lists).reduce((sum, list) => sum + jsonBytes(list), 0);
    expect(bytes).toBeLessThanOrEqual(MAX);
    const next = handed(kept, messages);
    expect(next).toHaveLength(messages.length);
    for (const [index, message] of next.entries()) assert(message === GONE || message === messages[index]);
    const sent = firstSent({ ...state, from: state.trimming.from });
    const always = pinnedBefore(sent, state);
    for (const index of messages.keys()) {
      if (index >= sent || always.includes(index)) assert(next[index] === messages[index]);
    }
    // The next run would carry the same.
    const again = keepTranscript({ ...state, messages: next }, MAX, AGAIN);
    expect('kept' in again && handed(again.kept, messages)).toEqual(next);
    expect(firstHere(next)).toBeLessThanOrEqual(sent);
  });
  assertEveryCase(property, 500, seen, { kept: 5, some: 5, large: 5, from: 5, bytes: 5 });
});

test('a short transcript is carried whole, of a long one little more than models read', () => {
  const exchanges = (size: number) =>
    [0, 1, 2].flatMap((turn) => [...messagesOf('ask', size, turn), ...messagesOf('say', size, turn)]);
  const short = exchanges(9);
  const { kept } = keepTranscript(stateOf(short, 4), MAX, AGAIN) as { kept: CarriedTranscript };
  expect(kept).toEqual({ first: 0, pinned: [], messages: short });
  const long = keepTranscript(stateOf(exchanges(20_000), 4), 700 * 1024, AGAIN);
  expect(long).toMatchObject({ kept: { first: 4, pinned: [] } });
});

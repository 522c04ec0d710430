import type { Message } from '../../../../agent/model/message';
import { GONE } from '../../../../agent/model/transcript';
import { CARRIED_BYTES, type CarriedUpdate } from '../../../../agent/state/carried/carried';
import type { AgentState } from '../../../../agent/state/state';
import { jsonBytes } from '../../../../agent/values/json';
import { carry } from '../../../../workflows/run/carry/carry';
import { batchCall, runState } from '../../state-data';
import { carriedOf, effect, handedOn, ofBytes, pinned, QUIET, resumed } from './carried-data';
import { TOOLS } from './random-run';

/** Bytes beside the list of messages: a comma, and the empty list of those before it. */
const AROUND = 3;

function said(text: string): Message[] {
  return [{ role: 'user', parts: [{ type: 'text', text }], turn: 0 }];
}

/** A call that waits for a person, with large arguments. */
function asking(text: string): AgentState['batch'] {
  const approval = { status: 'asked' as const, hash: 'h', key: '', requestedAt: 1, expiresAt: 9e12 };
  return [batchCall({ name: 'pay', input: { text }, approval })];
}

function waitingFor(text: string): Pick<AgentState, 'inbox' | 'steers' | 'notes'> {
  const message = { parts: [{ type: 'text' as const, text: 'hi' }], exchange: 2, at: 1 };
  return { inbox: [message], steers: [message], notes: [text] };
}

/** All small fields except the records have `bytes` bytes. Further facts add no digit to their count. */
function withFields(bytes: number): AgentState {
  const state = runState(TOOLS, { facts: 100 });
  const others = jsonBytes(state) - jsonBytes(carriedOf(state).state);
  return ofBytes(bytes + others, (text) => ({ ...state, title: text }));
}

describe('at its limit a part is carried, and one byte above it is not:', () => {
  test('the transcript, of which the largest messages are read again', () => {
    const { transcript: max } = CARRIED_BYTES;
    const messages = ofBytes(max - AROUND, said);
    expect(carriedOf(runState([], { messages })).transcript).toEqual({ first: 0, pinned: [], messages });
    const larger = runState([], { messages: ofBytes(max - AROUND + 1, said) });
    const { transcript } = carriedOf(larger);
    expect(transcript).toEqual({ first: 0, pinned: [], messages: [GONE], large: [0] });
    const [message] = larger.messages;
    const read = { messages: message === undefined ? [] : [{ index: 0, message }] };
    expect(resumed(handedOn(carriedOf(larger)), pinned(larger), read).messages).toEqual(larger.messages);
    expect(() => resumed(handedOn(carriedOf(larger)), pinned(larger))).toThrow(
      'message 0 was not read from the run one',
    );
  });

  test('what is read again of it, which delays the carry', () => {
    const max = CARRIED_BYTES.transcript + CARRIED_BYTES.again;
    const messages = ofBytes(max - AROUND, said);
    expect(carriedOf(runState([], { messages })).transcript.large).toEqual([0]);
    const larger = runState([], { messages: ofBytes(max - AROUND + 1, said) });
    expect(carry(larger, QUIET)).toEqual({ type: 'delayed', why: 'tooLarge', part: 'transcript', bytes: max + 1, max });
  });

  test('the batch, which delays the carry', () => {
    const max = CARRIED_BYTES.batch;
    expect(carriedOf(runState(TOOLS, { batch: ofBytes(max, asking) })).batch).toHaveLength(1);
    const larger = runState(TOOLS, { batch: ofBytes(max + 1, asking) });
    expect(carry(larger, QUIET)).toEqual({ type: 'delayed', why: 'tooLarge', part: 'batch', bytes: max + 1, max });
  });

  test('waiting messages, which delay the carry', () => {
    const max = CARRIED_BYTES.waiting;
    expect(carriedOf(runState([], ofBytes(max, waitingFor))).waiting.notes).toHaveLength(1);
    const larger = runState([], ofBytes(max + 1, waitingFor));
    expect(carry(larger, QUIET)).toEqual({ type: 'delayed', why: 'tooLarge', part: 'waiting', bytes: max + 1, max });
  });

  test('the other fields, which delay when they leave too little for the records', () => {
    const max = CARRIED_BYTES.rest - CARRIED_BYTES.records;
    expect(jsonBytes(carriedOf(withFields(max)).state)).toBe(max);
    const larger = withFields(max + 1);
    expect(carry(larger, QUIET)).toEqual({ type: 'delayed', why: 'tooLarge', part: 'rest', bytes: max + 1, max });
  });

  test('the last answer, which is read again', () => {
    const max = CARRIED_BYTES.answer;
    const answered = (bytes: number) =>
      runState(TOOLS, { answer: { exchange: 3, data: ofBytes(bytes, (text) => ({ text })) } });
    expect(carriedOf(answered(max)).answer).toEqual(answered(max).answer);
    const large = answered(max + 1);
    const carried = handedOn(carriedOf(large));
    expect(carried.answer).toEqual({ exchange: 3 });
    const data = large.answer?.data ?? null;
    expect(resumed(carried, pinned(large), { answer: data })).toMatchObject({ answer: { exchange: 3, data } });
    expect(() => resumed(carried, pinned(large))).toThrow(/the answer of exchange 3 was not read from the run one/);
  });
});

test('the answer `null` is carried', () => {
  const state = runState(TOOLS, { answer: { exchange: 1, data: null } });
  expect(resumed(handedOn(carriedOf(state)), pinned(state))).toMatchObject({ answer: state.answer });
});

test('the worst run is carried in less than 1.5 MB', () => {
  const many = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
  const long = '€'.repeat(60);
  const receipts = many(1000, (i) => [`${long}-${i}`, { exchange: 9e6, ahead: 0, after: i }] as const);
  const decided = many(2000, (i) => [`t${i}.1`, { decision: 'approve' as const, by: long, at: 9e12 }] as const);
  const replied = many(2000, (i) => [`t${i}.1`, { action: 'answered' as const, by: long, at: 9e12 }] as const);
  const state: AgentState = {
    ...withFields(CARRIED_BYTES.rest - CARRIED_BYTES.records),
    messages: ofBytes(CARRIED_BYTES.transcript - AROUND, said),
    batch: ofBytes(CARRIED_BYTES.batch, asking),
    ...ofBytes(CARRIED_BYTES.waiting, waitingFor),
    effects: many(200, (i) => effect(i, 64 * 1024)),
    answer: { exchange: 1, data: ofBytes(CARRIED_BYTES.answer, (text) => text) },
    taken: Object.fromEntries(receipts),
    decided: Object.fromEntries(decided),
    replied: Object.fromEntries(replied),
    toolTypeCounts: Object.fromEntries(many(2000, (i) => [`${long}_${i}`, i])),
  };
  const updates = many(2000, (i): CarriedUpdate => ({ id: `u${i}`, value: long }));
  const carried = carriedOf(state, { updates });
  expect(jsonBytes(carried.state) + jsonBytes(carried.updates)).toBeLessThanOrEqual(CARRIED_BYTES.rest);
  expect(jsonBytes(carried.effects)).toBeLessThanOrEqual(CARRIED_BYTES.effects);
  expect(jsonBytes(carried)).toBeLessThan(1.5 * 1024 * 1024);
  // Close enough to the limit to be the worst case.
  expect(jsonBytes(carried)).toBeGreaterThan(1.4 * 1024 * 1024);
  // The newest entries of each record are there.
  expect(carried.updates.at(-1)?.id).toBe('u1999');
  expect(carried.state).toMatchObject({
    taken: { [`${long}-999`]: {} },
    decided: { 't1999.1': {} },
    replied: { 't1999.1': {} },
  });
  expect(resumed(handedOn(carried), pinned(state)).messages).toEqual(state.messages);
});

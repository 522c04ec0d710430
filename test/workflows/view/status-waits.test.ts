import type { QuestionState } from '../../../agent/conversation/questions';
import type { AgentState } from '../../../agent/state/state';
import type { StepInput } from '../../../workflows/state/reduce';
import { begunCalls, howToDecide, iso, isPlain, waitingText } from '../../../workflows/view/status-waits';
import { fold } from '../state/fold';
import { batchCall, runState } from '../state-data';

const DAY = Date.UTC(2026, 0, 2);
const batch = [1, 2, 3, 4].map((n) => batchCall({ toolUseId: `t1.${n}`, name: `tool_${n}` }));
const approve = (n: number, more: object = {}): StepInput => ({
  type: 'approvalsAsked',
  asked: [{ toolUseId: `t1.${n}`, hash: 'h', key: '', requestedAt: DAY, ...more }],
});
const ask = (n: number, ...more: Partial<QuestionState>[]): StepInput => ({
  type: 'questionsAsked',
  toolUseId: `t1.${n}`,
  questions: more.map((one) => ({ questionId: `t1.${n}`, question: 'secret?', askedAt: 1, ...one })),
});
const call = (n: number, more: object = {}): StepInput => ({
  type: 'serviceCalled',
  toolUseId: `t1.${n}`,
  service: { ref: 'r', kind: 'signal', since: DAY, ...more },
});
const settle = (n: number): StepInput => ({ type: 'settled', toolUseId: `t1.${n}`, outcome: { content: [] } });
const having = (...inputs: StepInput[]) => fold(runState([], { batch }), ...inputs).state;
const onlyOne = (...inputs: StepInput[]) => having(...inputs, settle(2), settle(3), settle(4));

describe('an id', () => {
  it.each(['run-1', 'a_B@%+=:,./-9', 'x'.repeat(500)])(
    'that a shell reads literally may be part of a command: %s',
    (id) => {
      expect(isPlain(id)).toBe(true);
    },
  );

  it.each(['', 'x'.repeat(501), 'a b', ';a', 'a;', '$a', 'a`', "a'", 'a\n', 'ä', 'a|b', 'a&b', '~', '#', '*'])(
    'that a shell may interpret may not: %j',
    (id) => {
      expect(isPlain(id)).toBe(false);
    },
  );
});

describe('what a run waits for', () => {
  it('is nothing while it works', () => {
    expect(waitingText(having())).toBeUndefined();
    expect(waitingText(runState())).toBeUndefined();
  });

  it('is a message, unless one is queued already', () => {
    expect(waitingText({ batch: [], phase: { at: 'idle' }, inbox: [] })).toBe('waits for a message');
    expect(
      waitingText({ batch: [], phase: { at: 'idle' }, inbox: [{ parts: [], exchange: 1, at: 1 }] }),
    ).toBeUndefined();
  });

  it.each<[string, object]>([
    ['a person', {}],
    ['a person', { deciders: [] }],
    ['`ann`', { deciders: ['ann'] }],
    ['`a` or `b` or `c` or `d`', { deciders: ['a', 'b', 'c', 'd'] }],
    ['`a` or `b` or `c` or `d` or others', { deciders: ['a', 'b', 'c', 'd', 'e', 'f'] }],
  ])('is a decision of %s', (who, more) => {
    expect(waitingText(having(approve(1, more)))).toBe(`waits for ${who} to approve \`tool_1\` (t1.1)`);
  });

  it('is the decision that has waited longest, with the time when it expires', () => {
    const state = having(approve(1, { requestedAt: DAY + 1 }), approve(3, { expiresAt: DAY }), call(2), call(4));
    expect(waitingText(state)).toBe(
      'waits for a person to approve `tool_3` (t1.3), until 2026-01-02T00:00:00.000Z, and for 3 others',
    );
  });

  it('is no longer a decision once one has been made or the call has settled', () => {
    const decided = { decision: 'approve' as const, by: 'ann', at: DAY };
    expect(waitingText(having(approve(1), { type: 'decided', toolUseId: 't1.1', decided }))).toBeUndefined();
    expect(waitingText(having(approve(1), settle(1)))).toBeUndefined();
  });

  it('is the decision of other people after an escalation, and nothing after the expiry', () => {
    const escalated: StepInput = { type: 'escalated', toolUseId: 't1.1', deciders: ['role:boss'], expiresAt: DAY + 1 };
    const asked = having(approve(1, { deciders: ['ann'], expiresAt: DAY }), escalated);
    expect(waitingText(asked)).toBe('waits for `role:boss` to approve `tool_1` (t1.1), until 2026-01-02T00:00:00.001Z');
    expect(waitingText(fold(asked, { type: 'approvalExpired', toolUseId: 't1.1', at: DAY }).state)).toBeUndefined();
  });

  it('is a reply, even while other calls run', () => {
    expect(waitingText(having(ask(1, {})))).toBe('waits for a person to answer `tool_1` (t1.1)');
    const two = ask(2, { questionId: 't1.2', expiresAt: DAY }, { questionId: 't1.2/2' });
    expect(waitingText(having(call(1), two))).toBe(
      'waits for a person to answer `tool_2` (t1.2), until 2026-01-02T00:00:00.000Z, and for 2 others',
    );
    expect(waitingText(having(ask(1, {}), approve(2)))).toBe(
      'waits for a person to approve `tool_2` (t1.2), and for one other',
    );
  });

  it('is the answer of a service, while no other call runs', () => {
    const since = 'since 2026-01-02T00:00:00.000Z';
    expect(waitingText(onlyOne(call(1)))).toBe(`waits for an answer of \`tool_1\` (t1.1) ${since}`);
    expect(waitingText(onlyOne(call(1, { expiresAt: DAY + 1 })))).toBe(
      `waits for an answer of \`tool_1\` (t1.1) ${since}, until 2026-01-02T00:00:00.001Z`,
    );
    expect(waitingText(having(call(1), call(2), call(3)))).toBeUndefined();
    expect(waitingText(having(call(1, { since: DAY + 1 }), call(2), settle(3), settle(4)))).toBe(
      `waits for an answer of \`tool_2\` (t1.2) ${since}, and for one other`,
    );
  });
});

describe('how to end a wait', () => {
  const linesOf = (state: AgentState, more: Partial<AgentState> = {}) => {
    const lines = howToDecide({ ...state, ...more });
    // Each is a separate paragraph.
    expect(lines.filter((_, i) => i % 2 === 0).every((line) => line === '')).toBe(true);
    return lines.filter((_, i) => i % 2 === 1);
  };
  const strange = { id: 'run;1' };

  it('is not shown when nothing waits, nor for a run that has ended', () => {
    expect(howToDecide(having())).toEqual([]);
    expect(howToDecide({ ...having(approve(1)), phase: { at: 'ended', reason: 'cancelled' } })).toEqual([]);
  });

  it('is shown for a model that does not answer, until it is asked again', () => {
    const outage = { since: 1, failures: 1, error: { type: 'ModelUnavailable', message: 'gone' } };
    const signal = 'the signal `retry` with `{"by":"…"}`.';
    const choose = 'the signal `switchModel` with `{"model":"…","by":"…"}`.';
    const waiting = { phase: { at: 'outage' as const, ...outage, nextAt: DAY } };
    expect(linesOf(runState(), waiting)).toEqual([
      `To retry now: \`holdfast retry run-1\`, or ${signal}`,
      `To use another model: \`holdfast switch-model run-1 '…'\`, or ${choose}`,
      'To cancel: `holdfast cancel run-1`, or Request Cancellation above.',
    ]);
    expect(linesOf(runState([], strange), waiting)).toEqual([
      `To retry now: ${signal}`,
      `To use another model: ${choose}`,
      'To cancel: Request Cancellation above.',
    ]);
    expect(linesOf(runState(), { phase: { at: 'outage', ...outage } })).toEqual([]);
  });

  it('is shown for the decision that has waited longest', () => {
    const state = having(approve(1, { requestedAt: DAY + 1 }), approve(3));
    const signal = 'the signal `approve` with `{"toolUseId":"t1.3","by":"…"}`.';
    expect(linesOf(state)).toEqual([
      `To decide: \`holdfast approve run-1 t1.3\` (or \`deny\`, \`edit\`), or ${signal}`,
    ]);
    expect(linesOf(state, strange)).toEqual([`To decide: \`holdfast inbox\`, or ${signal}`]);
  });

  it('is shown for the first question', () => {
    const state = having(ask(2, { questionId: 't1.2/2' }, {}));
    const signal = 'the signal `answer` with `{"questionId":"t1.2/2","answer":"…"}`.';
    expect(linesOf(state)).toEqual([`To answer: \`holdfast answer run-1 t1.2/2 '…'\`, or ${signal}`]);
    expect(linesOf(state, strange)).toEqual([`To answer: ${signal}`]);
  });

  it('is shown for a conversation that waits for a message', () => {
    const signal = 'the signal `send` with `{"text":"…"}`.';
    const idle = { phase: { at: 'idle' } } as const;
    expect(linesOf(runState(), idle)).toEqual([
      `To send a message: \`holdfast chat test.agent --id run-1\`, or ${signal}`,
    ]);
    expect(linesOf(runState([], strange), idle)).toEqual([`To send a message: ${signal}`]);
  });

  it.each(['signal', 'event'])('is shown for a service that is reached by %s', (kind) => {
    const state = having(call(1, { kind: 'child' }), call(3, { kind, since: DAY + 2 }), call(4, { kind: 'agent' }));
    const signal = 'the signal `toolResult` with `{"toolUseId":"t1.3","data":"…"}`.';
    expect(linesOf(state)).toEqual([`To answer: \`holdfast complete run-1 t1.3 --data '…'\`, or ${signal}`]);
    expect(linesOf(state, strange)).toEqual([`To answer: ${signal}`]);
  });

  it('is not shown for children and agents, which answer by their results', () => {
    expect(howToDecide(having(call(1, { kind: 'child' }), call(2, { kind: 'agent' })))).toEqual([]);
  });

  it('is shown for everything that waits, decisions before questions before services, with ids in full', () => {
    const id = 'x'.repeat(500);
    const commands = linesOf(having(call(4), ask(2, {}), approve(1)), { id, phase: { at: 'idle' } }).map(
      (line) => /`holdfast (\w+) .*?`/.exec(line)?.[0],
    );
    expect(commands).toEqual([
      `\`holdfast approve ${id} t1.1\``,
      `\`holdfast answer ${id} t1.2 '…'\``,
      `\`holdfast chat test.agent --id ${id}\``,
      `\`holdfast complete ${id} t1.4 --data '…'\``,
    ]);
  });
});

test('a call has begun when it is open and waits for no call before it', () => {
  const lane = (n: number) => batchCall({ toolUseId: `t1.${n}`, lane: 'a' });
  const open = batchCall({ toolUseId: 't1.3' });
  const calls = [lane(1), lane(2), open, batchCall({ toolUseId: 't1.4', outcome: { content: [] } })];
  expect(begunCalls(calls)).toEqual([calls[0], open]);
});

test('times are shown in ISO 8601, in UTC', () => {
  expect(iso(DAY + 1)).toBe('2026-01-02T00:00:00.001Z');
});

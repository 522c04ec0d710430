import type { AgentState } from '../../../agent/state/state';
import { type StepInput, step } from '../../../workflows/state/reduce';
import { StatusPage } from '../../../workflows/view/status-page';
import { acting, modelAnswer, runState, toolSpec } from '../state-data';

const tools = [toolSpec('lookup', { effect: 'read' }), toolSpec('pay')];

/** The page of a run after these inputs. */
function pageAfter(...inputs: StepInput[]): string {
  const page = new StatusPage();
  let state: AgentState = runState(tools, { owner: 'ann', context: { metadata: {} } });
  for (const input of inputs) {
    const next = step(state, input);
    state = next.state;
    page.note(next.facts);
  }
  return page.text(state);
}

const calling: StepInput = { type: 'calling' };
const answer = modelAnswer({
  requests: [
    { name: 'lookup', input: { id: 'A-17' } },
    { name: 'pay', input: { amount: 5 } },
    { name: 'nope', input: {} },
  ],
});
const lookedUp: StepInput = { type: 'settled', toolUseId: 't1.1', outcome: { content: [] } };
const begun: StepInput[] = [calling, { type: 'answered', answer }, acting(answer, tools)];

it('shows the owner, the current step and the progress', () => {
  const page = pageAfter(calling);
  expect(page).toContain('**test.agent** asks the model `default`');
  expect(page).toContain('- turn 1 of 25');
  expect(page).toContain('- owner `ann`');
  expect(page).toContain('`holdfast show run-1`');
});

it('shows the last calls with their state, the newest first', () => {
  const page = pageAfter(...begun);
  expect(page).toContain('runs 2 tools at once');
  expect(page).toContain('- t1.3 `nope`: **not run**, UnknownTool\n- t1.2 `pay`: running\n- t1.1 `lookup`: running');
  expect(pageAfter(...begun, lookedUp)).toContain('runs the tool `pay`');
  expect(pageAfter(...begun, lookedUp)).toContain('- t1.1 `lookup`: done');
});

it('says that the model is asked again once all calls have settled', () => {
  const failed = { type: 'ToolFailed' as const, message: 'no money' };
  const paid: StepInput = { type: 'settled', toolUseId: 't1.2', outcome: { content: [], error: failed } };
  const page = pageAfter(...begun, lookedUp, paid, { type: 'batchSettled' }, calling);
  expect(page).toContain('asks the model');
  expect(page).toContain('Last error: `t1.2 pay`: ToolFailed, `no money`');
});

it('says that an answer is being checked', () => {
  expect(pageAfter(calling, { type: 'answered', answer: modelAnswer({ text: 'hello' }) })).toContain(
    'checks its answer',
  );
});

it('names the error that a run ended with', () => {
  const error = { type: 'Refused', message: 'The model `demo` refused' };
  const page = pageAfter(calling, { type: 'ended', reason: 'failed', error });
  expect(page).toContain('**test.agent** has failed');
  expect(page).toContain("Last error: Refused, `The model 'demo' refused`");
});

describe('while calls wait', () => {
  const since = Date.UTC(2026, 0, 2);
  const ask = (toolUseId: string, more: object = {}) => ({
    toolUseId,
    hash: 'h',
    key: '',
    requestedAt: since,
    ...more,
  });
  const asked = (...questions: ReturnType<typeof ask>[]): StepInput => ({ type: 'approvalsAsked', asked: questions });
  const called = (kind: 'signal' | 'agent', more: object = {}): StepInput => ({
    type: 'serviceCalled',
    toolUseId: 't1.1',
    service: { ref: 'x', kind, since, ...more },
  });
  const paid: StepInput = { type: 'settled', toolUseId: 't1.2', outcome: { content: [] } };

  it('says who may decide, until when and how', () => {
    const page = pageAfter(...begun, asked(ask('t1.2', { deciders: ['ann', 'role:finance'], expiresAt: since })));
    expect(page).toContain(
      'waits for `ann` or `role:finance` to approve `pay` (t1.2), until 2026-01-02T00:00:00.000Z\n',
    );
    expect(page).toContain('- t1.2 `pay`: waits for `ann` or `role:finance` to approve it\n- t1.1 `lookup`: running');
    expect(page).toContain(
      'To decide: `holdfast approve run-1 t1.2` (or `deny`, `edit`), or the signal `approve` with `{"toolUseId":"t1.2","by":"…"}`.',
    );
  });

  it('names the call that waits longest, and how many others wait', () => {
    const page = pageAfter(...begun, called('signal'), asked(ask('t1.2', { requestedAt: since + 1 })));
    expect(page).toContain('waits for a person to approve `pay` (t1.2), and for one other\n');
    const later = ask('t1.2', { requestedAt: since + 1 });
    expect(pageAfter(...begun, asked(later, ask('t1.1')))).toContain('to approve `lookup` (t1.1), and for one other');
    const many = ask('t1.1', { deciders: ['a', 'b', 'c', 'd', 'e'] });
    expect(pageAfter(...begun, asked(many))).toContain('waits for `a` or `b` or `c` or `d` or others to approve');
  });

  it('says which answer has been awaited since when, once no tool runs', () => {
    expect(pageAfter(...begun, called('signal'))).not.toContain('waits for an answer');
    const page = pageAfter(...begun, called('signal', { expiresAt: since + 1000 }), paid);
    expect(page).toContain(
      'waits for an answer of `lookup` (t1.1) since 2026-01-02T00:00:00.000Z, until 2026-01-02T00:00:01.000Z\n',
    );
    expect(page).toContain("To answer: `holdfast complete run-1 t1.1 --data '…'`, or the signal `toolResult`");
    expect(page).toContain('- t1.1 `lookup`: awaiting answer');
    // Another agent answers by its result.
    expect(pageAfter(...begun, called('agent'), paid)).not.toContain('To answer');
    const answered: StepInput = { type: 'serviceAnswered', toolUseId: 't1.1', answer: { data: 1 }, at: 0 };
    const after = pageAfter(...begun, called('signal'), answered);
    expect(after).toContain('- t1.1 `lookup`: answered');
    expect(after).not.toContain('To answer');
  });

  it('says who denied a call, and does not count it as an error', () => {
    const decided = { decision: 'deny', by: 'ann', at: since, comment: 'no' } as const;
    const error = { type: 'Denied' as const, message: 'ann denied it: no' };
    const page = pageAfter(
      ...begun,
      asked(ask('t1.2')),
      { type: 'decided', toolUseId: 't1.2', decided },
      { type: 'settled', toolUseId: 't1.2', outcome: { content: [], error } },
    );
    expect(page).toContain('- t1.2 `pay`: **not run**, denied by `ann`');
    expect(page).not.toMatch(/To decide|Last error: `t1\.2/);
    const approved: StepInput = { type: 'decided', toolUseId: 't1.2', decided: { ...decided, decision: 'approve' } };
    expect(pageAfter(...begun, asked(ask('t1.2')), approved)).toContain('- t1.2 `pay`: running');
  });

  it('shows no arguments, and no command that could do harm', () => {
    const page = pageAfter(...begun, asked(ask('t1.1')));
    expect(page).not.toContain('A-17');
    const step1 = step(runState(tools, { id: 'x; rm -rf ~ #' }), calling).state;
    const state = begun.slice(1).reduce((before, input) => step(before, input).state, step1);
    const text = new StatusPage().text(step(state, asked(ask('t1.1'))).state);
    expect(text).toContain('To decide: `holdfast inbox`, or the signal');
    expect(text).not.toContain('rm -rf');
  });
});

it('never shows what the model passed to a tool', () => {
  expect(pageAfter(...begun)).not.toContain('A-17');
});

it('renders no link and no image from a tool or a model', () => {
  const message = 'see ` ![x](https://evil.example/p.png)\n# Heading';
  const outcome = { content: [], error: { type: 'ToolFailed' as const, message } };
  const page = pageAfter(...begun, { type: 'settled', toolUseId: 't1.1', outcome });
  expect(page).toContain("`see ' ![x](https://evil.example/p.png) # Heading`");
});

it('shows which message a conversation answers, what it asks, and when it waits for the next message', () => {
  const manifest = { ...runState(tools).manifest, mode: 'conversation' as const } as NonNullable<
    AgentState['manifest']
  >;
  const page = new StatusPage();
  let state = runState(tools, { manifest, context: { metadata: {} }, exchange: 0, phase: { at: 'idle' } });
  const after = (...inputs: StepInput[]) => {
    for (const input of inputs) {
      const next = step(state, input);
      state = next.state;
      page.note(next.facts);
    }
    return page.text(state);
  };
  expect(page.text(state)).toContain('waits for a message');
  expect(page.text(state)).toContain('`holdfast chat test.agent --id run-1`, or the signal `send` with `{"text":"…"}`');
  const message = { parts: [{ type: 'text' as const, text: 'secret' }], exchange: 1, at: 0 };
  after({ type: 'renamed', title: 'May' }, { type: 'received', message, ahead: 0 }, { type: 'exchangeBegun' });
  expect(after(...begun)).toContain('- conversation `May`: message 1');
  const question = { questionId: 't1.1', question: 'secret?', askedAt: 0, expiresAt: 0 };
  const asking = after({ type: 'questionsAsked', toolUseId: 't1.1', questions: [question] });
  expect(asking).toContain('waits for a person to answer `lookup` (t1.1), until 1970-01-01T00:00:00.000Z');
  expect(asking).toContain("`holdfast answer run-1 t1.1 '…'`");
  expect(asking).not.toContain('secret');
  expect(after({ type: 'exchangeEnded', reason: 'failed', error: { type: 'Refused', message: 'no' } })).toContain(
    'Last error: `exchange`: Refused, `no`',
  );
});

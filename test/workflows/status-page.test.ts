import type { AgentState } from '../../agent/state';
import { StatusPage } from '../../workflows/status-page';
import { type StepInput, step } from '../../workflows/step';
import { modelAnswer, runState, toolSpec } from './state-data';

const tools = [toolSpec('lookup', { effect: 'read' }), toolSpec('pay')];

/** The page after these inputs, as a run shows it. */
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

const calling: StepInput = { type: 'calling', conclude: false };
const answer = modelAnswer({
  requests: [
    { name: 'lookup', input: { id: 'A-17' } },
    { name: 'pay', input: { amount: 5 } },
    { name: 'nope', input: {} },
  ],
});
const lookedUp: StepInput = { type: 'settled', toolUseId: 't1.1', outcome: { content: [] } };
const acting: StepInput[] = [calling, { type: 'answered', answer }, { type: 'acting', answer }];

it('says whose run it is, what it is doing and how far it is', () => {
  const page = pageAfter(calling);
  expect(page).toContain('**test.agent** asks the model `default`');
  expect(page).toContain('- turn 1 of 25');
  expect(page).toContain('- owner `ann`');
  expect(page).toContain('`holdfast show run-1`');
});

it('shows the last calls with their state, the newest first', () => {
  const page = pageAfter(...acting);
  expect(page).toContain('runs 2 tools at once');
  expect(page).toContain('- t1.3 `nope`: UnknownTool\n- t1.2 `pay`: running\n- t1.1 `lookup`: running');
  expect(pageAfter(...acting, lookedUp)).toContain('runs the tool `pay`');
  expect(pageAfter(...acting, lookedUp)).toContain('- t1.1 `lookup`: done');
});

it('says that the model is asked again once all calls have settled', () => {
  const failed = { type: 'ToolFailed' as const, message: 'no money' };
  const paid: StepInput = { type: 'settled', toolUseId: 't1.2', outcome: { content: [], error: failed } };
  const page = pageAfter(...acting, lookedUp, paid, { type: 'batchSettled' }, calling);
  expect(page).toContain('asks the model');
  expect(page).toContain('Last error: `t1.2 pay`: ToolFailed, `no money`');
});

it('says that an answer is checked', () => {
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

it('never shows what the model passed to a tool', () => {
  expect(pageAfter(...acting)).not.toContain('A-17');
});

it('brings in no link and no image that a tool or a model wrote', () => {
  const message = 'see ` ![x](https://evil.example/p.png)\n# Heading';
  const outcome = { content: [], error: { type: 'ToolFailed' as const, message } };
  const page = pageAfter(...acting, { type: 'settled', toolUseId: 't1.1', outcome });
  expect(page).toContain("`see ' ![x](https://evil.example/p.png) # Heading`");
});

import type { AgentState } from '../../../agent/state/state';
import { StatusPage } from '../../../workflows/view/status-page';
import { fold, withManifest } from '../state/fold';
import { batchCall, runState } from '../state-data';

const pageOf = (state: AgentState) => new StatusPage().text(state);
/** The first line, without the name of the agent. */
const doing = (state: AgentState) => pageOf(state).split('\n')[0]?.replace('**test.agent** ', '');
/** The lines about progress, cost and owner. */
const about = (state: AgentState) =>
  pageOf(state)
    .split('\n')
    .filter((line) => line.startsWith('- '));

test('a page shows the state of the run, what happened last, and where to find details', () => {
  const page = new StatusPage();
  const error = { type: 'ToolFailed' as const, message: 'no money' };
  const batch = [batchCall({ toolUseId: 't1.1', name: 'pay' }), batchCall({ toolUseId: 't1.2', name: 'look' })];
  page.note(batch.map(({ toolUseId, name }) => ({ type: 'tool.call', turn: 1, toolUseId, name, input: {} })));
  const begun = runState([], { owner: 'ann', turn: 2, toolInteractions: { current: 2, max: 25 }, batch });
  const { state, facts } = fold(begun, { type: 'settled', toolUseId: 't1.1', outcome: { content: [], error } });
  page.note(facts);
  expect(page.text({ ...state, usage: { prompt: 10, completion: 5 }, executionUnits: 15 })).toBe(`\
**test.agent** runs the tool \`look\`

- turn 2 of 25
- model \`default\`: 10 tokens in, 5 out
- owner \`ann\`

Last calls, the newest first:

- t1.2 \`look\`: running
- t1.1 \`pay\`: **failed**, ToolFailed

Last error: \`t1.1 pay\`: ToolFailed, \`no money\`

Look closer: \`holdfast show run-1\`, or the queries \`holdfast.state\`, \`holdfast.facts\` and \`holdfast.transcript\`.`);
});

test('a page shows no command when the id of the run would be unsafe in a shell', () => {
  expect(
    pageOf(runState([], { id: '$(rm)' }))
      .split('\n')
      .at(-1),
  ).toBe('Look closer: the queries `holdfast.state`, `holdfast.facts` and `holdfast.transcript`.');
  const long = 'x'.repeat(500);
  expect(pageOf(runState([], { id: long }))).toContain(`Look closer: \`holdfast show ${long}\`, or the queries`);
});

test('a page shows how to end a wait, between the state of the run and its last calls', () => {
  const page = pageOf(runState([], { phase: { at: 'idle' }, id: 'run;1' }));
  expect(page).toContain('out\n\nTo send a message: the signal `send` with `{"text":"…"}`.\n\nLook closer: ');
});

const starting = runState([], { phase: { at: 'starting' } });
const { manifest: _, ...unknown } = starting;
const outage = { since: 1, failures: 1, error: { type: 'ModelUnavailable', message: 'gone' } };
const nextAt = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const call = (n: number, more: object = {}) => batchCall({ toolUseId: `t1.${n}`, name: `tool_${n}`, ...more });
const outcome = { content: [] };

test.each<[string, AgentState]>([
  ['has completed', runState([], { phase: { at: 'ended', reason: 'completed' } })],
  ['has failed', runState([], { phase: { at: 'ended', reason: 'failed' } })],
  ['was cancelled', runState([], { phase: { at: 'ended', reason: 'cancelled' } })],
  ['starts: its tools are being looked up', unknown],
  ['starts: its first messages are being made', starting],
  [
    'waits for its model. The model `default` has given no answer since 1970-01-01T00:00:00.001Z. Holdfast asks it again at 2026-01-02T03:04:05.006Z.',
    runState([], { phase: { at: 'outage', ...outage, nextAt } }),
  ],
  ['asks the model `default`', runState([], { phase: { at: 'outage', ...outage } })],
  ['asks the model `small`', withManifest({ models: ['big', 'small'] }, { model: 1 })],
  ['waits for a message', runState([], { phase: { at: 'idle' } })],
  ['runs the tool `tool_1`', runState([], { batch: [call(1)] })],
  ['runs the tool `tool_2`', runState([], { batch: [call(1, { outcome }), call(2)] })],
  ['runs 2 tools at once', runState([], { batch: [call(1), call(2)] })],
  ['runs the tool `tool_1`', runState([], { batch: [call(1, { lane: 'a' }), call(2, { lane: 'a' })] })],
])('a run %s', (what, state) => {
  expect(doing(state)).toBe(what);
});

test('a run whose model has just answered checks the answer', () => {
  const page = new StatusPage();
  const usage = { type: 'usage' as const, turn: 1, model: 'm', usage: { prompt: 1, completion: 1 }, executionUnits: 2 };
  page.note([{ type: 'loop.iteration', turn: 1, lifecycle: 'init' }, usage]);
  expect(page.text(runState())).toContain('**test.agent** checks its answer\n');
  page.note([{ type: 'loop.iteration', turn: 2, lifecycle: 'tool_result' }]);
  expect(page.text(runState())).toContain('**test.agent** asks the model `default`\n');
});

test('a run that compacts says so, also while a message arrives, and names the failure of a summary', () => {
  const page = new StatusPage();
  const idle = runState([], { phase: { at: 'idle' } });
  page.note([{ type: 'context.compacting', turn: 1, method: 'summarise' }]);
  page.note([{ type: 'message.received', into: 2, ahead: 0 }]);
  expect(page.text(idle)).toContain('**test.agent** compacts old messages\n');
  page.note([{ type: 'context.summary.failed', turn: 1, error: { type: 'ModelUnavailable', message: 'down' } }]);
  expect(page.text(idle)).not.toContain('compacts');
  expect(page.text(idle)).toContain('Last error: `summary of old messages`: ModelUnavailable, `down`');
});

test.each<[string, Partial<AgentState>]>([
  ['- no turn yet', { toolInteractions: { current: 0, max: 0 } }],
  ['- turn 0 of 25', {}],
  ['- turn 3 of 25', { turn: 9, toolInteractions: { current: 3, max: 25 } }],
  [
    '- turn 26, the last one: all 25 tool interactions are used',
    { turn: 26, concluding: 'interactions', toolInteractions: { current: 25, max: 25 } },
  ],
  [
    '- turn 3, the last one: the context window is almost full',
    { turn: 3, concluding: 'window', toolInteractions: { current: 2, max: 25 } },
  ],
  [
    '- turn 3, the last one: the budget is used up',
    { turn: 3, concluding: 'budget', toolInteractions: { current: 2, max: 25 } },
  ],
  [
    '- turn 7, the last one: the model repeats a call',
    { turn: 7, concluding: 'repeating', toolInteractions: { current: 6, max: 25 } },
  ],
  [
    '- turn 3, the last one: the model gives no answer',
    { turn: 3, concluding: 'silent', toolInteractions: { current: 2, max: 25 } },
  ],
])('the progress of a run is shown: %s', (line, more) => {
  expect(about(runState([], more))).toEqual([line, '- model `default`: 0 tokens in, 0 out']);
});

test('the cost is shown with its currency, and that of child agents apart', () => {
  const usage = { prompt: 10, completion: 5 };
  const cost = { amount: 0.25, currency: 'USD' };
  const shown = (more: Partial<AgentState>) => about(runState([], { usage, ...more })).slice(1);
  expect(shown({})).toEqual(['- model `default`: 10 tokens in, 5 out']);
  expect(shown({ cost })).toEqual(['- model `default`: 10 tokens in, 5 out, 0.25 USD']);
  const children = { runs: 1, usage, cost, executionUnits: 0.25, calls: { model: 1, tool: 0 } };
  expect(shown({ children, unpriced: { calls: 2, tokens: 15 } })).toEqual([
    '- model `default`: 20 tokens in, 10 out, 0.25 USD and 2 calls without a price',
    '- of that a child agent: 10 tokens in, 5 out, 0.25 USD',
  ]);
});

test.each<[string, Partial<AgentState>]>([
  ['- conversation: no message yet', { exchange: 0 }],
  ['- conversation: message 1', { exchange: 1 }],
  ["- conversation `Orders of 'May'`: message 2", { exchange: 2, title: 'Orders of `May`' }],
  ['- conversation: message 1, 1 more waits', { exchange: 1, inbox: [{ parts: [], exchange: 2, at: 1 }] }],
  [
    '- conversation: message 1, 2 more wait',
    { exchange: 1, inbox: [2, 3].map((exchange) => ({ parts: [], exchange, at: 1 })) },
  ],
])('the message that a conversation answers is shown: %s', (line, more) => {
  expect(about(withManifest({ mode: 'conversation' }, more))[1]).toBe(line);
  expect(about(runState([], more))).toHaveLength(2);
  expect(about({ ...unknown, ...more })).toHaveLength(2);
});

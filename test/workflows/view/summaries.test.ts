import { approvalSummary, modelSummary, toolSummary, waitSummary } from '../../../workflows/view/summaries';
import { toolSpec } from '../state-data';

const pay = toolSpec('pay', { inputSchema: { type: 'object', properties: { order: {}, amount: {} } } });
const call = (input: { [name: string]: string }) => ({ toolUseId: 't3.1', input });

it('names the turn and the model of a call, and what is special about it', () => {
  const first = { turn: 1, model: 'demo', lifecycle: 'init' as const };
  expect(modelSummary(first)).toBe('turn 1: model demo');
  expect(modelSummary({ ...first, takesOver: true })).toBe('turn 1: model demo, takes over');
  expect(modelSummary({ ...first, toolChoice: 'none' })).toBe('turn 1: model demo, has to conclude');
  expect(modelSummary({ ...first, lifecycle: 'output_error_feedback' })).toBe(
    'turn 1: model demo, corrects its answer',
  );
  for (const lifecycle of ['message', 'tool_result'] as const) {
    expect(modelSummary({ ...first, lifecycle })).toBe('turn 1: model demo');
  }
});

it('names the most important thing about a call: an outage before another model, another model before the end', () => {
  const last = { turn: 1, model: 'demo', lifecycle: 'output_error_feedback' as const, toolChoice: 'none' as const };
  expect(modelSummary(last)).toBe('turn 1: model demo, has to conclude');
  expect(modelSummary({ ...last, takesOver: true })).toBe('turn 1: model demo, takes over');
  expect(modelSummary({ ...last, takesOver: true, again: true })).toBe('turn 1: model demo, asked again');
  expect(modelSummary({ ...last, again: false })).toBe('turn 1: model demo, has to conclude');
});

it('keeps what is special about a call when the name of its model is long', () => {
  const named = (length: number, more: object = {}) =>
    modelSummary({ turn: 1, model: 'x'.repeat(length), lifecycle: 'init', ...more });
  // `turn 1: model ` has 14 characters.
  expect(named(86)).toBe(`turn 1: model ${'x'.repeat(86)}`);
  expect(named(87)).toBe(`turn 1: model ${'x'.repeat(85)}…`);
  expect(named(87, { takesOver: true })).toBe(`turn 1: model ${'x'.repeat(73)}…, takes over`);
});

it('says how often the model has failed when it waits for the model', () => {
  const outage = { since: 1, failures: 3, error: { type: 'ModelUnavailable', message: 'gone' } };
  expect(waitSummary({ turn: 2, phase: { at: 'outage', ...outage } }, 'demo')).toBe(
    'turn 2: asks the model demo again, failures so far: 3',
  );
  expect(waitSummary({ turn: 2, phase: { at: 'outage', ...outage } }, 'x'.repeat(200))).toHaveLength(100);
});

it('names the arguments of a tool, never their values, nor names that a model made up', () => {
  const summary = toolSummary(pay, 3, call({ order: 'A-17', amount: '40', 'sk-secret': 'x' }));
  expect(summary).toBe('turn 3: call t3.1 with order, amount');
});

it('names four arguments at most', () => {
  const of = (...names: string[]) => {
    const all = Object.fromEntries(names.map((name) => [name, 'secret']));
    const tool = toolSpec('wide', {
      inputSchema: { type: 'object', properties: Object.fromEntries(names.map((n) => [n, {}])) },
    });
    return toolSummary(tool, 1, call(all));
  };
  expect(of('a', 'b', 'c', 'd')).toBe('turn 1: call t3.1 with a, b, c, d');
  expect(of('a', 'b', 'c', 'd', 'e', 'f')).toBe('turn 1: call t3.1 with a, b, c, d, …');
});

it.each([{}, { properties: null }, { properties: true }, { properties: { toString: {} } }])(
  'names no arguments that are not in the schema: %j',
  (inputSchema) => {
    expect(toolSummary({ inputSchema }, 3, call({ order: 'A-17', constructor: 'x' }))).toBe('turn 3: call t3.1');
  },
);

it('mentions no arguments when there are none', () => {
  expect(toolSummary(pay, 3, call({}))).toBe('turn 3: call t3.1');
});

it.each([
  [undefined, 't3.1 pay: approval by a person expires'],
  [['ann'], 't3.1 pay: approval by ann expires'],
  [['ann', 'bob', 'role:desk'], 't3.1 pay: approval by ann or bob or role:desk expires'],
  [['ann', 'bob', 'role:desk', 'eva'], 't3.1 pay: approval by ann or bob or role:desk or … expires'],
])('names who may decide: %j', (deciders, summary) => {
  expect(approvalSummary({ toolUseId: 't3.1', name: 'pay' }, deciders)).toBe(summary);
});

it('stays far under the 400 bytes that the server allows', () => {
  const names = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${'名'.repeat(60)}${i}`, '']));
  const wide = toolSpec('wide', { inputSchema: { type: 'object', properties: names } });
  const summaries = [
    toolSummary(wide, 1, call(names)),
    approvalSummary({ toolUseId: 't3.1', name: 'pay' }, ['名'.repeat(500)]),
    modelSummary({ turn: 1, model: '名'.repeat(500), lifecycle: 'init', toolChoice: 'none' }),
  ];
  for (const summary of summaries) expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThan(320);
});

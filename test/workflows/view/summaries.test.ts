import { modelSummary, toolSummary } from '../../../workflows/view/summaries';
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
});

it('names the arguments of a tool, never their values, nor names that a model made up', () => {
  const summary = toolSummary(pay, 3, call({ order: 'A-17', amount: '40', 'sk-secret': 'x' }));
  expect(summary).toBe('turn 3: call t3.1 with order, amount');
});

it('says nothing of arguments where there are none', () => {
  expect(toolSummary(pay, 3, call({}))).toBe('turn 3: call t3.1');
});

it('stays far under the 400 bytes that the server allows', () => {
  const names = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${'名'.repeat(60)}${i}`, '']));
  const wide = toolSpec('wide', { inputSchema: { type: 'object', properties: names } });
  const summaries = [
    toolSummary(wide, 1, call(names)),
    modelSummary({ turn: 1, model: '名'.repeat(500), lifecycle: 'init', toolChoice: 'none' }),
  ];
  for (const summary of summaries) expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThan(320);
});

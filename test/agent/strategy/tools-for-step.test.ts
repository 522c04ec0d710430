import type { ToolSpec } from '../../../agent/protocol/manifest';
import { toolsForStep } from '../../../agent/strategy/tools-for-step';

const tool = (name: string, description = '', server?: string): ToolSpec =>
  ({
    name,
    description,
    modelName: name,
    ...(server === undefined ? { kind: 'internal' } : { kind: 'mcp', mcp: { server } }),
  }) as ToolSpec;
const loop = (name: string, does: string): ToolSpec =>
  ({ name, description: '', kind: 'loop', loop: { does } }) as ToolSpec;
const names = (tools: readonly ToolSpec[]) => tools.map(({ name }) => name);

test('tools of the server of the step come first, then those that share words with it', () => {
  const tools = [
    tool('ocr.extract_text', 'Reads the text of an image', 'ocr'),
    tool('files.list', '', 'files'),
    tool('files.move_file', 'Moves or renames files', 'files'),
    tool('weather'),
  ];
  expect(names(toolsForStep({ description: 'Move the file', server: 'files' }, tools, 3))).toEqual([
    'files.move_file',
    'files.list',
    'ocr.extract_text',
  ]);
  expect(names(toolsForStep({ description: 'Extract texts' }, tools, 1))).toEqual(['ocr.extract_text']);
});

test('without a word in common the order of the agent stays', () => {
  expect(names(toolsForStep({ description: '' }, [tool('b'), tool('a')]))).toEqual(['b', 'a']);
});

test('a step may ask a person, but not end the loop or show a plan', () => {
  const tools = [
    loop('ask_question', 'ask'),
    loop('converse', 'converse'),
    loop('task_completion', 'complete'),
    loop('follow_plan', 'plan'),
  ];
  expect(names(toolsForStep({ description: 'ask' }, tools))).toEqual(['ask_question']);
});

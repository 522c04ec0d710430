import { readableSchema, readableTool } from '../../../activities/context/readable-tool';
import type { UnnamedTool } from '../../../agent/protocol/manifest';

function schemaWith(text: string) {
  return {
    type: 'object',
    title: text,
    properties: { field: { type: 'string', description: text, enum: ['a', 'b'] }, description: { type: 'string' } },
    required: ['field'],
  };
}

const tool = (text: string): UnnamedTool => ({
  ...{ name: 'files.read', kind: 'internal', effect: 'once', priority: 0, timeout: 1, attempts: 1 },
  ...{ placement: 'activity', cancellation: 'wait' },
  description: text,
  inputSchema: schemaWith(text),
  outputSchema: schemaWith(text),
});

it.each([
  ['half an emoji', 'smile \ud83d now', 'smile \ufffd now'],
  ['NUL and an escape', 'a\u0000b \u001b[31mred', 'a b  [31mred'],
  ['marks that change the direction', 'pay \u202etxt.exe\u202c \u2066now\u2069', 'pay txt.exe now'],
  ['zero-width characters', 'wo\u200brd\ufeff', 'word'],
  ['letters written with tags', `hi${'\u{e0064}\u{e0065}'}`, 'hi'],
  ['line separators', 'a\u2028b', 'a b'],
])('%s in the texts of a tool', (_what, text, expected) => {
  expect(readableTool(tool(text))).toEqual(tool(expected));
});

it.each(['a\tb\r\nc\n', '👩‍💻 ❤️ 1️⃣', 'नमस्ते क्‍ष', 'שלום', 'é', '\u00a0'])('%j stays', (text) => {
  const before = tool(text);
  const after = readableTool(before);
  expect(after).toEqual(before);
  expect(after.inputSchema).toBe(before.inputSchema);
  expect(after.outputSchema).toBe(before.outputSchema);
});

it('values that the model has to write stay as they are, but for halves of characters', () => {
  const schema = {
    properties: { 'a\u0000b': { enum: ['\u202ex', 'half \udc00'], default: '\u0001' }, '\ud800': {} },
    required: ['a\u0000b', '\ud800'],
  };
  expect(readableSchema(schema)).toEqual({
    properties: { 'a\u0000b': { enum: ['\u202ex', 'half \ufffd'], default: '\u0001' }, '\ufffd': {} },
    required: ['a\u0000b', '\ufffd'],
  });
});

it('a reference that leads nowhere allows anything', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/Gone', description: 'What.' }, b: { $ref: '#/$defs/B' }, c: { $ref: '#' } },
    $defs: { B: { items: { $ref: 'other.json' } } },
  };
  expect(readableSchema(schema)).toEqual({
    type: 'object',
    properties: { a: { description: 'What.' }, b: { $ref: '#/$defs/B' }, c: { $ref: '#' } },
    $defs: { B: { items: {} } },
  });
});

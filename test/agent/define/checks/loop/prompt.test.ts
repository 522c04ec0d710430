import { type AgentDefinition, defineAgent } from 'holdfast';
import { fault } from '../../../fault';

const agent =
  (prompt: unknown, more: object = {}) =>
  () =>
    defineAgent({ name: 'a.b', prompt, ...more } as AgentDefinition);
const EXPECTED = 'Expected a text, a function, `null`, or an object with `text`';

it.each<[string, unknown]>([
  ['none', {}],
  [
    'a text, a function, a removed and a placed one',
    { system: { agentLoop: 'x', capabilities: () => 'x', skills: null, own: { text: 'x', before: 'skills' } } },
  ],
  ['one after a new one', { turn: { a: 'x', b: { text: () => 'x', after: 'a' }, callingRules: true, userInput: 'x' } }],
  ['limits', { timeout: '1m', maxChars: 100_000 }],
])('a prompt with sections is accepted: %s', (_, prompt) => {
  expect(agent(prompt)).not.toThrow();
});

it.each<[string, unknown, string]>([
  ['a list', [], 'prompt: Expected an object, got `[]`'],
  [
    'an unknown field',
    { sections: {} },
    'prompt.sections: Unknown field; known are `system`, `turn`, `timeout`, `maxChars`',
  ],
  ['sections that are a text', { turn: 'x' }, 'prompt.turn: Expected an object, got `"x"`'],
  ['a number', { turn: { rag: 7 } }, `prompt.turn.rag: ${EXPECTED}`],
  [
    'a strange name',
    { turn: { 'a b': 'x' } },
    'prompt.turn.a b: A section is named with letters, digits, `_` and `-`, a letter first',
  ],
  [
    'a removed one that is none',
    { turn: { rug: null } },
    'prompt.turn.rug: There is no default section of this name; known are `toolSchemas`, `mcpSchemas`, `callingRules`, `planning`, `rag`, `userInput`',
  ],
  [
    'a removed message',
    { turn: { userInput: null } },
    'prompt.turn.userInput: The newest message cannot be removed; give a text to send in its place',
  ],
  [
    'a default text that there is not',
    { turn: { rag: true } },
    'prompt.turn.rag: Only `toolSchemas`, `mcpSchemas`, `callingRules` are off by default; give a text or a function',
  ],
  ['a default text that is on', { system: { agentLoop: true } }, `prompt.system.agentLoop: ${EXPECTED}`],
  ['no text', { turn: { a: {} } }, 'prompt.turn.a.text: Expected a text or a function'],
  [
    'two places',
    { turn: { a: { text: 'x', before: 'rag', after: 'rag' } } },
    'prompt.turn.a: Expected `before` or `after`, not both',
  ],
  [
    'a moved default',
    { turn: { rag: { text: 'x', after: 'userInput' } } },
    'prompt.turn.rag: A default section stays in its place; remove `before` and `after`',
  ],
  [
    'an unknown place',
    { system: { a: { text: 'x', after: 'b' }, b: 'x' } },
    'prompt.system.a.after: Expected a section that is defined above it, or one of `instructions`, `agentLoop`, `capabilities`, `skills`, `chainOfThought`, got `b`',
  ],
  ['a long time', { timeout: '2m' }, 'prompt.timeout: Expected at most 60 s'],
  ['no time', { timeout: 0 }, "prompt.timeout: Expected milliseconds or a duration such as '10s', got `0`"],
  ['many characters', { maxChars: 100_001 }, 'prompt.maxChars: Expected a whole number from 1 to 100000, got `100001`'],
  [
    'many sections',
    { turn: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`s${i}`, 'x'])) },
    'prompt.turn: Expected at most 50 sections, got 51',
  ],
])('a prompt is refused with %s', (_, prompt, text) => {
  expect(fault(agent(prompt))).toBe(`Agent \`a.b\`.${text}`);
});

it('instructions are given once', () => {
  expect(fault(agent({ system: { instructions: 'x' } }, { instructions: 'y' }))).toBe(
    'Agent `a.b`.prompt.system.instructions: It replaces `instructions`; keep one of them',
  );
});

it('a tool cannot have the name of the one that reads skills', () => {
  const questions = { read_skill: { description: 'x' } };
  expect(fault(() => defineAgent({ name: 'a.b', skills: { root: 's' }, questions } as AgentDefinition))).toContain(
    'The agent has `skills`, which brings a tool of this name',
  );
});

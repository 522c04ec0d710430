import { type AgentDefinition, defineAgent, type LoopTool, type QuestionDefinition } from 'holdfast';
import { z } from 'zod';
import { fault } from '../../fault';

// A caller without types could write this.
const agent = (more: object) => () => defineAgent({ name: 'a.b', ...more } as AgentDefinition);
const asks = (question: unknown, name = 'ask_it') => agent({ questions: { [name]: question } });

const time = (got: unknown) => `Expected milliseconds or a duration such as '7d', got \`${got}\``;
const NO_TEXT = 'Expected a string that tells the model what to ask, and when';
const CONVERSE = '`converse` may set only `expires` and `onExpire`; its message and its reply are plain text';
const LOOP = '`ask_question`, `converse`, `task_completion`';

it.each<[string, object, string]>([
  ['an unknown mode', { mode: 'chat' }, 'mode: Expected `task` or `conversation`, got `chat`'],
  [
    'a wait for messages and no mode',
    { idle: '7d' },
    "idle: Only a conversation waits for messages: set `mode: 'conversation'`",
  ],
  [
    'a wait for messages of a task',
    { mode: 'task', idle: '7d' },
    "idle: Only a conversation waits for messages: set `mode: 'conversation'`",
  ],
  ['a wait that is not a duration', { mode: 'conversation', idle: 'soon' }, `idle: ${time('soon')}`],
  ['a wait that rounds to nothing', { mode: 'conversation', idle: 0.4 }, `idle: ${time(0.4)}`],
  [
    'an unknown tool of the loop',
    { loopTools: ['converse', 'ask'] },
    `loopTools: Unknown tool \`ask\`; known are ${LOOP}`,
  ],
  ['tools of the loop that are not a list', { loopTools: 'converse' }, `loopTools: Expected a list of ${LOOP}`],
])('an agent with %s is refused', (_what, more, text) => {
  expect(fault(agent(more))).toBe(`Agent \`a.b\`.${text}`);
});

it.each<[string, unknown, string]>([
  ['is a text', 'Well?', ': Expected an object such as `{ description: …, answer: z.string() }`'],
  ['is nothing', null, ': Expected an object such as `{ description: …, answer: z.string() }`'],
  ['has no description', { answer: z.string() }, `.description: ${NO_TEXT}`],
  ['has an empty description', { description: ' ' }, `.description: ${NO_TEXT}`],
  ['has a number as its description', { description: 7 }, `.description: ${NO_TEXT}`],
  [
    'has a field too many',
    { description: 'x', sugestions: [] },
    '.sugestions: Unknown field; known are `description`, `answer`, `expires`, `onExpire`',
  ],
  ['has an invalid time', { description: 'x', expires: 'never' }, `.expires: ${time('never')}`],
  ['ends like an approval', { description: 'x', onExpire: 'deny' }, '.onExpire: Expected `tell` or `fail`, got `deny`'],
  [
    'has no schema as its answer',
    { description: 'x', answer: 'text' },
    '.answer: Expected a schema, such as `z.object({ … })`',
  ],
  [
    'has a schema that cannot become JSON Schema',
    { description: 'x', answer: { '~standard': { vendor: 'odd', version: 1, validate: () => ({}) } } },
    '.answer: schemas of `odd` cannot be converted to JSON Schema; use zod 4.2 or newer',
  ],
])('a question that %s is refused', (_what, question, text) => {
  expect(fault(asks(question))).toBe(`Agent \`a.b\`.questions.ask_it${text}`);
});

it('a loop tool may have no description, but not an empty one', () => {
  expect(asks({}, 'ask_question')).not.toThrow();
  expect(fault(asks({ description: '' }, 'ask_question'))).toBe(
    `Agent \`a.b\`.questions.ask_question.description: ${NO_TEXT}`,
  );
});

it.each<[string, QuestionDefinition]>([
  ['a description', { description: 'Says hello' }],
  ['a schema of the answer', { answer: z.number() }],
])('`converse` cannot have %s', (_what, question) => {
  expect(fault(asks(question, 'converse'))).toBe(`Agent \`a.b\`.questions.converse: ${CONVERSE}`);
});

it.each<[string, object]>([
  ['be a task', { mode: 'task' }],
  ['be a conversation', { mode: 'conversation' }],
  ['wait for messages', { mode: 'conversation', idle: 1 }],
  ['have all tools of the loop', { loopTools: ['ask_question', 'converse', 'task_completion'] satisfies LoopTool[] }],
  ['ask for a text', { questions: { ask_it: { description: 'Asks it' } } }],
  ['ask for a number', { questions: { ask_it: { description: 'Asks it', answer: z.number() } } }],
  ['set how long `ask_question` waits', { questions: { ask_question: { expires: '3d', onExpire: 'fail' } } }],
  ['change the description of `ask_question`', { questions: { ask_question: { description: 'Asks the boss' } } }],
  ['set how long `converse` waits', { questions: { converse: { expires: '3d', onExpire: 'tell' } } }],
])('an agent may %s', (_what, more) => {
  expect(agent(more)).not.toThrow();
});

import type { JsonObject } from '../../../agent/values/json';
import type { Random } from '../../determinism/random/random';
import type { ReplyCall } from '../../kit/model-reply';
import { LOST } from './random-text';

/** Few, so that calls repeat themselves. */
const MARKS = ['a', 'b', 'c'];

/** Arguments that fit a tool, by its name. */
export function fitting(name: string, random: Random): JsonObject {
  if (name === 'ask_question')
    return { question: 'Which one?', ...(random.below(2) === 0 ? { suggestions: ['a'] } : {}) };
  if (name === 'converse') return { message: 'Tell me more.' };
  if (name === 'task_completion')
    return { result: random.pick([{ sum: 3 }, { sum: 3, note: 'three' }, 'It is done.']) };
  if (name === 'ask_number') return { question: 'How many?' };
  if (name === 'child') return { input: { mark: random.pick(MARKS) } };
  if (name === 'search_tools') return { query: random.pick(['count things', 'shelf 7', '']) };
  return { mark: random.pick(MARKS), ...(random.below(3) === 0 ? { size: random.pick([1, 200, 9000]) } : {}) };
}

/** Arguments that fit no tool, or only after a repair. */
const WRONG: readonly (JsonObject | string)[] = [
  {},
  { mark: 7 },
  { mark: null },
  { mark: ['a'] },
  { mark: 'a', size: 'large' },
  { mark: 'a', size: '12' },
  { constructor: 'a' },
  { mark: 'a', toString: 1 },
  { question: '' },
  { message: ' ' },
  { result: null },
  { result: { sum: '3' } },
  '{"mark": "a"',
  '{"mark": "a", "size',
  'look: a, [',
  '',
  'null',
  '[]',
  '"a"',
  '{"__proto__": {"mark": "a"}}',
  '{"mark": "\u0000"}',
  "{'mark': 'a',}",
  '{"mark": "a"}{"mark": "b"}',
  '{"mark": "\\ud800"}',
  `{"mark": "${'x'.repeat(30_000)}"}`,
  `${'{"mark":'.repeat(150)}1${'}'.repeat(150)}`,
  '{"mark": "a", "size": 1e400}',
  '{"mark": "a", "mark": "b"}',
];

/** One call: proper, or wrong in its name or its arguments. */
export function randomCall(names: readonly string[], random: Random): ReplyCall {
  const name = random.pick(names.length > 0 ? names : LOST);
  const kind = random.below(10);
  if (kind === 0) return { name: random.pick(LOST), arguments: fitting('look', random) };
  if (kind < 3) return { name, arguments: random.pick(WRONG) };
  return { name, arguments: fitting(name, random) };
}

/** Some calls of one answer, with ids that repeat themselves or are missing now and then. */
export function randomCalls(names: readonly string[], random: Random): ReplyCall[] {
  const hasIds = random.below(4) > 0;
  // The default ids of a scripted model count all requests: a seed would not repeat a run.
  const idOf = () => (hasIds ? `call-${random.below(1e9)}` : random.pick(['', 'again', 'again']));
  const size = random.pick([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 10, 60]);
  return Array.from({ length: size }, () => ({ ...randomCall(names, random), id: idOf() }));
}

/** A call in the text of an answer: proper, in another form, or broken. */
export function callInText(names: readonly string[], random: Random): string {
  const { name, arguments: args } = randomCall(names, random);
  const server = random.pick(['local', 'local', 'local', 'local', 'local', 'work', 'nowhere', '__proto__', '']);
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  const body = `{"server_name": "${server}", "tool_name": ${JSON.stringify(name)}, "arguments": ${json}}`;
  const whole = `<tool>${body}</tool>`;
  const xml = `<tool><server_name>${server}</server_name><tool_name>${name}</tool_name><arguments>${json}</arguments></tool>`;
  switch (random.below(20)) {
    case 0:
      return `<tool>${body}`;
    case 1:
      return whole.slice(0, random.below(whole.length));
    case 2:
      return `<tool>{"tool_name": ${JSON.stringify(name)}}</tool>`;
    case 3:
      return `<tool>${body.slice(1)}</tool>`;
    case 4:
      return `\`\`\`\n${whole}\n\`\`\``;
    case 5:
      return `<tool><tool>${body}</tool></tool>`;
    case 6:
      return `<tool><server_name>${server}</tool_name><![CDATA[${name}</tool>`;
    case 7:
      return `<function_call>${body}</function_call>`;
    case 8:
      return `<thinking>${whole}</thinking>`;
    case 9:
      return `${whole}\n${whole}`;
    case 10:
    case 11:
      return xml;
    case 12:
      return `<tool><server_name>local</server_name><tool_name><![CDATA[${name}]]></tool_name><arguments><mark>a & b</mark></arguments></tool>`;
    case 13:
      return `<thinking>I need it.</thinking>Let me look.\n${whole} And so on.`;
    default:
      return whole;
  }
}

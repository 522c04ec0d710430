import { checkSchema } from '../../contracts/check-schema';
import type { AgentDefinition } from '../agent-definition';
import { LOOP_TOOLS } from '../built-in/loop-tools';
import { checkDuration, checkFields, checkRecord, fail } from './fail';

/** Checks how an agent talks with people: its mode, its loop tools, its questions. */
export function checkConversation(definition: AgentDefinition, place: string): void {
  const { mode, idle, loopTools = [], questions = {} } = definition;
  if (mode !== undefined && mode !== 'task' && mode !== 'conversation') {
    fail(`${place}.mode`, `Expected \`task\` or \`conversation\`, got \`${String(mode)}\``);
  }
  if (idle !== undefined) {
    checkDuration(idle, `${place}.idle`, '7d');
    if (mode !== 'conversation')
      fail(`${place}.idle`, "Only a conversation waits for messages: set `mode: 'conversation'`");
  }
  if (!Array.isArray(loopTools)) fail(`${place}.loopTools`, `Expected a list of ${names(LOOP_TOOLS)}`);
  for (const name of loopTools) {
    if (!LOOP_TOOLS.includes(name))
      fail(`${place}.loopTools`, `Unknown tool \`${String(name)}\`; known are ${names(LOOP_TOOLS)}`);
  }
  checkRecord(questions, `${place}.questions`);
  for (const [name, question] of Object.entries(questions)) checkQuestion(name, question, `${place}.questions.${name}`);
}

function checkQuestion(name: string, question: unknown, place: string): void {
  if (typeof question !== 'object' || question === null) {
    fail(place, 'Expected an object such as `{ description: …, answer: z.string() }`');
  }
  checkFields(question, ['description', 'answer', 'expires', 'onExpire'], place);
  const { description, answer, expires, onExpire } = question as { [field: string]: unknown };
  const described = typeof description === 'string' && description.trim() !== '';
  if (name === 'converse' && (description ?? answer) !== undefined) {
    fail(place, '`converse` may set only `expires` and `onExpire`; its message and its reply are plain text');
  }
  if (!described && !(LOOP_TOOLS.some((loop) => loop === name) && description === undefined)) {
    fail(`${place}.description`, 'Expected a string that tells the model what to ask, and when');
  }
  checkDuration(expires, `${place}.expires`, '7d');
  if (onExpire !== undefined && onExpire !== 'tell' && onExpire !== 'fail') {
    fail(`${place}.onExpire`, `Expected \`tell\` or \`fail\`, got \`${String(onExpire)}\``);
  }
  if (answer !== undefined) checkSchema(answer, `${place}.answer`);
}

function names(all: readonly string[]): string {
  return all.map((name) => `\`${name}\``).join(', ');
}

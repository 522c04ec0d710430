import { isSchema, toJsonSchema } from '../../contracts/schema';
import { HoldfastError } from '../../errors/error';
import { milliseconds } from '../../values/duration';
import type { AgentDefinition } from '../agent-definition';
import { LOOP_TOOLS } from '../loop-tools';

/** Checks how an agent talks with persons: its mode, the tools of the loop, the questions of its own. */
export function checkConversation(definition: AgentDefinition, place: string): void {
  const { mode, idle, loopTools = [], questions = {} } = definition;
  if (mode !== undefined && mode !== 'task' && mode !== 'conversation') {
    fail(`${place}.mode`, `Expected \`task\` or \`conversation\`, got \`${String(mode)}\``);
  }
  if (idle !== undefined) {
    checkDuration(idle, `${place}.idle`);
    if (mode !== 'conversation')
      fail(`${place}.idle`, "Only a conversation waits for messages: set `mode: 'conversation'`");
  }
  if (!Array.isArray(loopTools)) fail(`${place}.loopTools`, `Expected a list of ${names(LOOP_TOOLS)}`);
  for (const name of loopTools) {
    if (!LOOP_TOOLS.includes(name))
      fail(`${place}.loopTools`, `There is no \`${String(name)}\`; there are ${names(LOOP_TOOLS)}`);
  }
  for (const [name, question] of Object.entries(questions)) checkQuestion(name, question, `${place}.questions.${name}`);
}

function checkQuestion(name: string, question: unknown, place: string): void {
  if (typeof question !== 'object' || question === null) {
    fail(place, 'Expected an object such as `{ description: …, answer: z.string() }`');
  }
  const { description, answer, expires, onExpire, ...more } = question as { [field: string]: unknown };
  const [strange] = Object.keys(more);
  if (strange !== undefined) fail(`${place}.${strange}`, 'There is no such field');
  const described = typeof description === 'string' && description.trim() !== '';
  if (name === 'converse' && (description ?? answer) !== undefined) {
    fail(
      place,
      'Only `expires` and `onExpire` of `converse` may be said; what it says is a text, and so is what follows',
    );
  }
  if (!described && !(LOOP_TOOLS.some((loop) => loop === name) && description === undefined)) {
    fail(`${place}.description`, 'Expected a text that tells the model what to ask, and when');
  }
  if (expires !== undefined) checkDuration(expires, `${place}.expires`);
  if (onExpire !== undefined && onExpire !== 'tell' && onExpire !== 'fail') {
    fail(`${place}.onExpire`, `Expected \`tell\` or \`fail\`, got \`${String(onExpire)}\``);
  }
  if (answer === undefined) return;
  if (!isSchema(answer)) fail(`${place}.answer`, 'Expected a schema, such as `z.object({ … })`');
  try {
    toJsonSchema(answer as Parameters<typeof toJsonSchema>[0]);
  } catch (error) {
    fail(`${place}.answer`, (error as Error).message);
  }
}

function checkDuration(given: unknown, place: string): void {
  const ms = milliseconds(given as Parameters<typeof milliseconds>[0]);
  if (ms === undefined || ms <= 0)
    fail(place, `Expected milliseconds or a duration such as '7d', got \`${String(given)}\``);
}

function names(all: readonly string[]): string {
  return all.map((name) => `\`${name}\``).join(', ');
}

function fail(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place, problem });
}

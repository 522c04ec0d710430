import { defineAgent, defineTool } from 'holdfast';
import type { ScriptTurn, text } from 'holdfast/testing';
import { z } from 'zod';
import { type Gate, newGate } from '../../gate';

/** Conditions that tools and models wait for in this test. */
export let gate: Gate;

export function shut(): void {
  gate = newGate();
}
/** An answer that waits for the condition. */
export const later = (reply: ReturnType<typeof text>) => (_: ScriptTurn) => gate.opened.then(() => reply);

/** Milliseconds. */
export const SOON = 1500;
const tool = (run: () => unknown) =>
  defineTool({
    description: 'Look',
    inputSchema: z.object({}),
    effect: 'read',
    execute: async () => String(await run()),
  });
const shared = {
  tools: { look: tool(() => 'seen'), slow: tool(() => gate.opened) },
  loopTools: ['ask_question' as const],
  questions: { ask_question: { expires: SOON }, ask_number: { description: 'Ask', answer: z.number() } },
};
export const chat = defineAgent({ name: 'test.chat', mode: 'conversation', ...shared });
export const brief = defineAgent({ name: 'test.brief', mode: 'conversation', idle: SOON, ...shared });
export const task = defineAgent({ name: 'test.task', ...shared });
export const falls = defineAgent({ name: 'test.falls', fallbackAnswer: 'sorry', ...shared });
export const built = defineAgent({
  name: 'test.built',
  mode: 'conversation',
  outputBuilder: ({ content }) => gate.opened.then(() => ({ data: content })),
  ...shared,
});

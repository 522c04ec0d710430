import { type Duration, milliseconds } from '../../values/duration';
import type { RunPolicy, ToolPolicy } from '../tool-definition';
import { checkApproval } from './approval';
import { checkDuration, fail } from './fail';

const WORDS = {
  effect: ['once', 'idempotent', 'read'],
  placement: ['activity', 'inline'],
  cancellation: ['wait', 'abandon'],
  execution: ['parallel', 'serial'],
} as const;

type EachField = { readonly [Field in keyof ToolPolicy]-?: true };

/** Fields of a policy. The compiler reports any that is missing here. */
export const POLICY = Object.keys({
  effect: true,
  priority: true,
  timeout: true,
  heartbeatTimeout: true,
  attempts: true,
  placement: true,
  cancellation: true,
  execution: true,
  approval: true,
  undo: true,
  questionsExpire: true,
} satisfies EachField);

/** Checks how a tool is run; `place` names it in messages. */
export function checkPolicy(policy: RunPolicy & { undo?: unknown; questionsExpire?: Duration }, place: string): void {
  const failAt = (field: string, problem: string): never => fail(`${place}.${field}`, problem);
  for (const [field, words] of Object.entries(WORDS)) {
    const word = policy[field as keyof typeof WORDS];
    const problem = wordProblem(word, words);
    if (problem !== undefined) failAt(field, problem);
  }
  if (policy.approval !== undefined) checkApproval(policy.approval, `${place}.approval`);
  const { priority, attempts, effect = 'once', placement, undo } = policy;
  if (undo !== undefined && typeof undo !== 'function') failAt('undo', 'Expected a function');
  if (undo !== undefined && effect === 'read') failAt('undo', 'A tool whose effect is `read` has nothing to undo');
  if (priority !== undefined && !Number.isFinite(priority))
    failAt('priority', `Expected a number, got \`${String(priority)}\``);
  for (const field of ['timeout', 'heartbeatTimeout', 'questionsExpire'] as const)
    checkDuration(policy[field], `${place}.${field}`);
  // Heartbeats are sent once a second: with less than two of them every call would look dead.
  if ((milliseconds(policy.heartbeatTimeout) ?? 2000) < 2000) failAt('heartbeatTimeout', 'Expected at least 2 s');
  if (attempts !== undefined && !(Number.isInteger(attempts) && attempts > 0)) {
    failAt('attempts', `Expected a whole number above 0, got \`${String(attempts)}\``);
  }
  if (effect !== 'once') return;
  if (placement === 'inline')
    failAt('placement', 'An inline tool may run twice; its effect must be `read` or `idempotent`');
  if ((attempts ?? 1) > 1) failAt('attempts', 'A tool whose effect is `once` has one attempt');
}

/** What is wrong with an `execution`, if anything. */
export function executionProblem(execution: unknown): string | undefined {
  return wordProblem(execution, WORDS.execution);
}

function wordProblem(word: unknown, words: readonly string[]): string | undefined {
  if (word === undefined || words.some((known) => known === word)) return undefined;
  return `Expected one of ${words.map((known) => `\`${known}\``).join(', ')}, got \`${String(word)}\``;
}

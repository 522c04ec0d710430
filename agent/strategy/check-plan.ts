import { defined } from '../values/defined';
import { isJsonObject, type Json, type JsonObject } from '../values/json';
import { MAX_STEPS, type PlanStep, type ReadPlan } from './step-plan';

/** Characters of a description, and of the hints of a step: a plan is part of the state that a run carries on. */
const MAX_TEXT = 1000;

/** A plan from the steps that a model, or a person, gave. The first problem makes all of it unreadable. */
export function planOf(given: unknown): Exclude<ReadPlan, { type: 'direct' }> {
  if (!Array.isArray(given)) return unreadable('`steps` is not a list');
  if (given.length === 0) return unreadable('the plan has no steps');
  if (given.length > MAX_STEPS) return unreadable(`the plan has ${given.length} steps, more than ${MAX_STEPS}`);
  const steps: PlanStep[] = [];
  for (const [i, one] of given.entries()) {
    const step = stepOf(one, i, steps.at(-1)?.step);
    if (typeof step === 'string') return unreadable(`step ${i + 1}: ${step}`);
    if (steps.some((other) => other.step === step.step)) return unreadable(`there are two steps ${step.step}`);
    steps.push(step);
  }
  const problem = orderProblem(steps);
  return problem === undefined ? { type: 'plan', steps } : unreadable(problem);
}

/** A step, or what is wrong with it. `before`: number of the step before it, after which it runs by default. */
function stepOf(given: unknown, index: number, before: number | undefined): PlanStep | string {
  if (!isJsonObject(given)) return 'it is not an object';
  const { description, critical = true } = given;
  const step = given.step_number === undefined ? index + 1 : numberOf(given.step_number);
  if (step === undefined) return '`step_number` is not a whole number from 1';
  if (typeof description !== 'string' || description.trim() === '') return '`description` is missing';
  const after = afterOf(given, before);
  if (after === undefined) return '`depends_on` is not a list of step numbers';
  const server = textOf(given.expected_server);
  return {
    step,
    description: description.trim().slice(0, MAX_TEXT),
    ...defined({ server, hints: hintsOf(given) }),
    after,
    // Models write booleans as texts. What is not clearly false is critical.
    critical: critical !== false && critical !== 'false',
  };
}

function afterOf({ depends_on: given }: JsonObject, before: number | undefined): number[] | undefined {
  if (given === undefined || given === null) return before === undefined ? [] : [before];
  const numbers = (Array.isArray(given) ? given : [given]).map(numberOf);
  const known = numbers.filter((number) => number !== undefined);
  return known.length < numbers.length ? undefined : [...new Set(known)];
}

function numberOf(given: Json | undefined): number | undefined {
  const number = typeof given === 'string' && /^\d{1,6}$/.test(given.trim()) ? Number(given) : given;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

function textOf(given: Json | undefined): string | undefined {
  return typeof given === 'string' && given.trim() !== '' ? given.trim().slice(0, MAX_TEXT) : undefined;
}

function hintsOf({ hint_params: given }: JsonObject): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return textOf(given);
  const text = JSON.stringify(given);
  return text === '{}' || text === '[]' ? undefined : text.slice(0, MAX_TEXT);
}

/** What is wrong with the order of the steps: each has to be able to run at some time. */
function orderProblem(steps: readonly PlanStep[]): string | undefined {
  const known = new Set(steps.map(({ step }) => step));
  for (const { step, after } of steps) {
    const unknown = after.find((other) => !known.has(other));
    if (unknown !== undefined) return `step ${step} depends on step ${unknown}, which does not exist`;
  }
  const ended = new Set<number>();
  for (let before = -1; ended.size > before; ) {
    before = ended.size;
    for (const { step, after } of steps) if (after.every((other) => ended.has(other))) ended.add(step);
  }
  const stuck = steps.filter(({ step }) => !ended.has(step)).map(({ step }) => step);
  return stuck.length === 0 ? undefined : `the steps ${stuck.join(', ')} wait for each other`;
}

function unreadable(problem: string): { type: 'unreadable'; problem: string } {
  return { type: 'unreadable', problem };
}

import type { Agent, FactBody } from 'holdfast';
import * as agents from './agents';

/** A model that does not do as it should, and what has to come of it. */
export interface Variant {
  title: string;
  agent: Agent;
  /** How many files get names. */
  renamed: number;
  /** The facts about what is done against the model, in order. */
  acts: FactBody['type'][];
  /** The answer of the run. */
  answer: string;
}

const ALL = { renamed: 7, answer: 'All screenshots have been renamed successfully.' };

export const VARIANTS: readonly Variant[] = [
  {
    title: 'A model that stops after three files',
    agent: agents.stopping,
    acts: ['answer.nudged'],
    ...ALL,
  },
  {
    title: 'A model that refuses',
    agent: agents.refusing,
    renamed: 0,
    acts: ['answer.nudged', 'answer.nudged', 'answer.nudged'],
    answer: "I can't do that. Please rename the files yourself.",
  },
  {
    title: 'A model that falls silent, and sums up when it has to',
    agent: agents.silent,
    renamed: 5,
    acts: ['answer.nudged', 'breaker.stopped'],
    answer: 'I processed 5 of 7 screenshots.',
  },
  {
    title: 'A model that falls silent for good',
    agent: agents.speechless,
    renamed: 2,
    acts: ['answer.nudged', 'breaker.stopped', 'answer.replaced'],
    answer: 'The model gave no answer. What its calls have done is in the transcript.',
  },
  {
    title: 'A model that repeats itself',
    agent: agents.repeating,
    renamed: 2,
    acts: ['breaker.skipped', 'breaker.skipped', 'breaker.stopped'],
    answer: 'I processed 2 of 7 screenshots.',
  },
  {
    title: 'A planner that writes nonsense',
    agent: agents.babbling,
    acts: ['plan.fallback'],
    ...ALL,
  },
  {
    title: 'A plan that fails after two renames, and a model that makes them once more',
    agent: agents.inventing,
    acts: ['plan.made', 'plan.fallback', 'breaker.skipped', 'breaker.skipped'],
    ...ALL,
  },
  {
    title: 'Two dead models, and a third that lives',
    agent: agents.lastOfThree,
    acts: ['model.switched', 'model.switched'],
    ...ALL,
  },
  {
    title: 'Only dead models',
    agent: agents.allDead,
    renamed: 0,
    acts: ['model.switched', 'model.fallback'],
    answer: 'No model can be reached. No file was renamed. Please try again later.',
  },
];

/** Whether a fact is about something that is done against a model. */
export function isAct({ type }: { type: FactBody['type'] }): boolean {
  return /^(answer\.|breaker\.|plan\.(made|fallback)|model\.(switched|fallback))/.test(type);
}

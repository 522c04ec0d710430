import type { Fact } from '../protocol/facts/fact';
import { defined } from '../values/defined';
import { shellWord } from '../values/shell-word';
import { visibleName } from '../values/visible';

/** A model that gives no answer. Times are milliseconds since 1970. */
export interface OutageTold {
  model: string;
  /** Missing in the facts of older workers. */
  since?: number;
  /** Calls that failed one after another. */
  failures: number;
  error: { type: string; message: string };
  /** Missing while the model is asked again. */
  nextAt?: number;
}

/** What a fact tells of it. */
export function outageOfFact(fact: Extract<Fact, { type: 'model.waiting' }>): OutageTold {
  const { model, attempt: failures, since, nextAt, error } = fact;
  return { model, failures, nextAt, error, ...defined({ since }) };
}

/** How a place shows times and names, and what people can do there. */
export interface OutageWords {
  /** Default: ISO 8601. */
  time?(milliseconds: number): string;
  /** Default: in backticks. */
  name?(model: string): string;
  /** A sentence with the ways out. */
  ways?: string;
}

/** The words for a model that gives no answer: what is away, since when, what Holdfast does, what a person can do, and why. */
export function outageText(told: OutageTold, words: OutageWords = {}): string {
  const { ways } = words;
  return [awayText(told, words), nextTryText(told.nextAt, words), ...(ways ? [ways] : []), failureText(told)].join(' ');
}

/** What is away, and since when. */
export function awayText({ model, since }: Pick<OutageTold, 'model' | 'since'>, words: OutageWords = {}): string {
  const { time = iso, name = quoted } = words;
  return `The model ${name(model)} ${since === undefined ? 'gives no answer' : `has given no answer since ${time(since)}`}.`;
}

/** Whether a text about a run says what was said with an outage already. */
export function tellsOf(text: string, outage: Pick<OutageTold, 'model' | 'since'> | undefined): boolean {
  return outage !== undefined && text.startsWith(awayText(outage));
}

/** Whether a text about a run begins with its own model that gives no answer. */
export function isOutageText(text: string): boolean {
  return /^The model `.+?` (?:gives no answer\.|has given no answer since )/.test(text);
}

/** What Holdfast does about it. */
export function nextTryText(nextAt: number | undefined, { time = iso }: OutageWords = {}): string {
  return nextAt === undefined ? 'Holdfast is asking it again now.' : `Holdfast asks it again at ${time(nextAt)}.`;
}

/** What a person can do at a command line. */
export function waysByCommand(id: string): string {
  const run = shellWord(id);
  return `\`holdfast retry ${run}\` asks it at once, \`holdfast switch-model ${run} <alias>\` has the run use another model.`;
}

/** Each failure is that of a call with attempts of its own, so it is not called an attempt. */
export function failureText({ failures, error: { type, message } }: Pick<OutageTold, 'failures' | 'error'>): string {
  const times = failures === 1 ? 'It failed with' : `It has failed ${failures} times in a row, the last time with`;
  return `${times} ${type}: ${message}`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function quoted(model: string): string {
  return `\`${visibleName(model)}\``;
}

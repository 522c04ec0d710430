import { HoldfastError } from '../../agent/errors/error';
import type { Json } from '../../agent/values/json';
import { visible } from '../../agent/values/visible';
import { say, warn } from '../../runtime/print';
import { EXIT } from '../exit-code';
import { oneLine } from '../lines/facts/fact-line';
import type { Place } from '../remote/place';
import type { CommandRun } from '../remote/run-client';
import { readJson } from '../runs/input';
import { withRun } from '../with-run';
import { answerFrom } from './answer-text';
import { deciderFor } from './decide';

export interface AnswerOptions extends Place {
  by?: string;
  /** The answer instead of words: JSON, a plain text, `@file`, or `-`. */
  data?: string;
  /** The text is the reason. */
  decline?: boolean;
}

/** `holdfast answer`: answers a question of a run, or declines to. */
export async function answer(
  id: string,
  questionId: string,
  words: readonly string[],
  { data, decline = false, ...options }: AnswerOptions,
): Promise<number> {
  const text = words.join(' ');
  if (data === undefined ? text === '' && !decline : text !== '' || decline) {
    warn('error: expected an answer after the question, or `--data`, or `--decline`');
    return EXIT.usage;
  }
  const given = data === undefined ? undefined : { answer: await readJson(data, unreadable(id, questionId)) };
  return withRun(options, id, async (run, client) => {
    const { by } = await deciderFor(client, id, options);
    if (decline) await run.decline(questionId, { by, ...(text === '' ? {} : { reason: text }) });
    else
      await run.answer(questionId, given === undefined ? await fitting(run, questionId, text) : given.answer, { by });
    say(repliedLine(decline ? 'declined' : 'answered', { id, questionId, by }));
    return 0;
  });
}

/** If the question is not open, the run refuses the answer and says why. */
async function fitting(run: CommandRun, questionId: string, text: string): Promise<Json> {
  const open = (await run.waiting()).questions;
  return answerFrom(text, open.find((asked) => asked.id === run.id && asked.questionId === questionId)?.schema);
}

/** One line about the outcome of a question. */
export function repliedLine(
  action: 'answered' | 'declined',
  { id, questionId, by }: { id: string; questionId: string; by: string },
): string {
  return oneLine(visible(`${action} ${questionId} of ${id} by ${by}`));
}

function unreadable(id: string, questionId: string) {
  return (problem: string) => new HoldfastError('InvalidReply', { id, questionId, problem });
}

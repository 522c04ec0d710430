import type { PendingQuestion } from '../../agent/conversation/questions';
import type { Json } from '../../agent/values/json';
import { answerDraft, answerFrom, choicesOf, takesText } from '../waits/answer-text';
import type { Prompts } from './prompts';

/** A person's reply to a question. */
export type SentMessage = { answer: Json } | { decline: true; reason?: string };

/** Number of choices that get a key. Others are typed. */
const KEYS = 9;

/** Lets a person pick or type an answer. `undefined` if they leave it for later. */
export async function askAnswer(prompts: Prompts, question: PendingQuestion): Promise<SentMessage | undefined> {
  const { schema, questionId } = question;
  const choices = choicesOf(question);
  const what = await prompts.pick(`What is the answer to ${questionId}?`, [
    ...choices.slice(0, KEYS).map((label, i) => ({ key: String(i + 1), value: String(i), label })),
    { key: 't', value: 'type', label: choices.length === 0 ? 'type an answer' : 'type something else' },
    { key: 'd', value: 'decline', label: 'decline', hint: 'the agent is told that you do not answer' },
    { key: 's', value: 'skip', label: 'skip', hint: 'answer later' },
  ]);
  const chosen = choices[Number(what)];
  if (chosen !== undefined) return { answer: answerFrom(chosen, schema) };
  if (what === 'decline') {
    const reason = await prompts.ask('Why not? The model reads it', 'Enter for no reason');
    return reason === undefined ? undefined : { decline: true, ...(reason === '' ? {} : { reason }) };
  }
  if (what !== 'type') return undefined;
  const typed = takesText(schema)
    ? await prompts.ask('Your answer', '')
    : await prompts.askLines('Your answer (JSON; Tab and Enter when done)', answerDraft(schema));
  return typed === undefined ? undefined : { answer: answerFrom(typed, schema) };
}

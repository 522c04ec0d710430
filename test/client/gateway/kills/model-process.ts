import type { ChatMessage } from '../../../kit/model-reply';
import { serveModel } from '../../../kit/model-server';
import { answerOf, PACE } from './answers';

/** Calls so far, by run and turn. */
const attempts = new Map<string, number>();

async function main(): Promise<void> {
  const { url } = await serveModel(({ messages }) => {
    const run = textOf(messages.find(({ role }) => role === 'user'));
    const turn = 1 + messages.filter(({ role }) => role === 'assistant').length;
    const attempt = 1 + (attempts.get(`${run} ${turn}`) ?? 0);
    attempts.set(`${run} ${turn}`, attempt);
    const text = answerOf(run, turn, attempt);
    if (turn === 1) return { text, calls: [{ name: 'look', arguments: { id: run } }] };
    return { text, ...PACE };
  });
  process.send?.({ url });
}

function textOf({ content = '' }: Partial<ChatMessage> = {}): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');
}

void main();

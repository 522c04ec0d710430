import { type ChatRequest, call, type ModelReply, text } from 'holdfast/testing';

/**
 * A function that plays the model, so that the project runs without a key. It decides by what the transcript holds, as
 * a model does. Delete it when you use a real one.
 */
export function play({ messages }: ChatRequest): ModelReply {
  const mail = textOf(messages.find(({ role }) => role === 'user'));
  const results = messages.filter(({ role }) => role === 'tool').map(textOf);
  const [id = 'A-17'] = /[A-Z]-\d+/.exec(mail) ?? [];
  const [order, refunded] = results;
  if (order === undefined) return { ...call('find_order', { id }), text: `I look ${id} up.` };
  const paid = /"paid":(\d+)/.exec(order)?.[1];
  if (paid === undefined) return answer(`We cannot find ${id}. Which order do you mean?`);
  if (refunded === undefined) return { ...call('refund', { id, amount: Number(paid) }), text: 'I pay it back.' };
  const amount = /"refunded":(\d+)/.exec(refunded)?.[1];
  return answer(
    amount === undefined ? 'A colleague will write to you.' : `We are sorry. You get ${amount} back for ${id}.`,
  );
}

function answer(reply: string): ModelReply {
  return text(JSON.stringify({ reply }));
}

function textOf(message: ChatRequest['messages'][number] | undefined): string {
  return typeof message?.content === 'string' ? message.content : JSON.stringify(message?.content ?? '');
}

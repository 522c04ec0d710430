import type { JsonObject } from '../../agent/values/json';
import type { ModelReply } from './model-reply';

/** What is sent of a reply at once. `call` begins a call, whose arguments follow. */
export type ReplyPiece =
  | { type: 'reasoning' | 'text'; text: string }
  | { type: 'call'; index: number; id: string | undefined; name: string }
  | { type: 'arguments'; index: number; text: string };

/** The pieces of a reply, `chunkSize` characters each, up to where its fault stops it. */
export function* replyPieces(reply: ModelReply): Generator<ReplyPiece> {
  const { fault } = reply;
  let left = fault !== undefined && 'after' in fault ? fault.after : Number.POSITIVE_INFINITY;
  for (const piece of allPieces(reply)) {
    if (left <= 0) return;
    if (!('text' in piece)) {
      yield piece;
      continue;
    }
    yield { ...piece, text: piece.text.slice(0, left) };
    left -= piece.text.length;
  }
}

function* allPieces({ reasoning = '', text = '', calls = [], chunkSize = 20 }: ModelReply): Generator<ReplyPiece> {
  for (const piece of split(reasoning, chunkSize)) yield { type: 'reasoning', text: piece };
  for (const piece of split(text, chunkSize)) yield { type: 'text', text: piece };
  for (const [index, { id, name, arguments: args }] of calls.entries()) {
    yield { type: 'call', index, id, name };
    for (const piece of split(argumentsText(args), chunkSize)) yield { type: 'arguments', index, text: piece };
  }
}

/** The arguments of a call as they are sent. */
export function argumentsText(value: JsonObject | string): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function split(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}

/** The reply to request `number`, with ids for its calls that no other reply of the server has. */
export function withCallIds<Reply extends ModelReply>(reply: Reply, number: number): Reply {
  if (reply.calls === undefined) return reply;
  return { ...reply, calls: reply.calls.map((call, i) => ({ ...call, id: call.id ?? `call_${number}_${i + 1}` })) };
}

/** The tokens of a reply; by default a quarter of the characters. */
export function usageOf(
  { text = '', reasoning = '', calls, usage }: ModelReply,
  asked: unknown,
): { prompt: number; completion: number } {
  const said = text + reasoning + JSON.stringify(calls ?? '');
  return usage ?? { prompt: Math.ceil(JSON.stringify(asked).length / 4), completion: Math.ceil(said.length / 4) };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { defineModel } from '../../../activities/model/adapters/function/define-model';
import { ModelServerError } from '../../../activities/model/failures/server-error';
import type { ModelMessage, ModelPart, ModelRequest } from '../../../agent/model/adapter';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';
import { Arrivals } from '../../kit/http-exchange';
import { type ReplyPiece, replyPieces, withCallIds } from '../../kit/reply-pieces';
import { KEY, type Provider, type ProviderKind, type ProviderRequest, Script, type WireStep } from '../provider';
import type { Asked, AskedMessage, WireReply } from '../wire';

/** A function that yields the parts of an answer itself, without a server. Its socket is the signal that it is given. */
export const aFunction: ProviderKind = { name: 'a function', lacks: [], open: async (...steps) => provider(steps) };

function provider(steps: readonly WireStep[]): Provider {
  const arrivals = new Arrivals<ProviderRequest>();
  const script = new Script(steps);

  async function* stream(request: ModelRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ModelPart[]> {
    const text = JSON.stringify(request);
    const asked = askedOfFunction(request);
    const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    const number = arrivals.add({ ...asked, text, closed });
    const reply = withCallIds(await script.next(asked), number);
    await sleep(reply.delay ?? 0, undefined, { signal });
    yield* answer(reply, signal);
  }

  return {
    requests: arrivals.all,
    request: (number) => arrivals.wait(number),
    model: (extra = {}) => ({ ...defineModel({ model: 'm', name: 'my gateway', secrets: [KEY], stream }), ...extra }),
    close: async () => {},
  };
}

/** Milliseconds: longer than any test waits. */
const LONG = 3_600_000;

async function* answer(reply: WireReply, signal: AbortSignal): AsyncGenerator<ModelPart[]> {
  const { fault, signature, refusal, usage, cached, calls, finishReason } = reply;
  if (fault?.kind === 'status') {
    const { status, code, message = `Scripted failure ${status}`, headers = {} } = fault;
    throw new ModelServerError(message, { status, code, headers: new Headers(headers) });
  }
  for (const piece of replyPieces(reply)) {
    yield [partOf(piece)];
    if (reply.chunkDelay !== undefined) await sleep(reply.chunkDelay, undefined, { signal });
  }
  if (fault?.kind === 'stall') await sleep(LONG, undefined, { signal });
  if (fault?.kind === 'cut') throw new Error('socket hang up');
  if (fault !== undefined) return;
  if (signature !== undefined) yield [{ type: 'reasoning', text: '', id: 'r', providerData: { signature } }];
  if (refusal !== undefined) yield [{ type: 'refusal', text: refusal }];
  if (usage !== undefined) yield [{ type: 'usage', usage: { ...usage, ...defined({ cached }) } }];
  const said = finishReason ?? (calls === undefined ? 'stop' : 'tool_calls');
  yield [{ type: 'finish', reason: said === 'length' ? 'length' : 'stop', said }];
}

function partOf(piece: ReplyPiece): ModelPart {
  switch (piece.type) {
    case 'reasoning':
      return { type: 'reasoning', text: piece.text, id: 'r' };
    case 'text':
      return piece;
    case 'call': {
      const { index, id, name } = piece;
      return { type: 'call', index, name, ...defined({ id }) };
    }
    case 'arguments':
      return { type: 'call', index: piece.index, arguments: piece.text };
  }
}

function askedOfFunction(request: ModelRequest): Asked {
  const { system = '', messages, tools, output, settings, headers } = request;
  const sent = Object.entries({ ...settings.extraHeaders, ...headers });
  return {
    system,
    messages: messages.map(askedMessage),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ...(output?.type === 'schema' ? { output: output.schema as JsonObject } : {}),
    body: JSON.parse(JSON.stringify(request)) as JsonObject,
    headers: Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value])),
  };
}

function askedMessage(message: ModelMessage): AskedMessage {
  const { role } = message;
  const content: readonly Extract<ModelMessage, { role: 'assistant' }>['content'][number][] = message.content;
  const thoughts = content.filter((part) => part.type === 'reasoning');
  const signature = thoughts.at(-1)?.providerData?.signature;
  const reasoning = thoughts.map(({ text }) => text).join('');
  return {
    role,
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: content.flatMap((part) => (part.type === 'media' ? [part.mediaType] : [])),
    calls: content.flatMap((part) =>
      part.type === 'call' ? [{ id: part.id, name: part.name, input: part.input }] : [],
    ),
    ...(role === 'tool' ? { resultOf: message.id } : {}),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(typeof signature === 'string' ? { signature } : {}),
  };
}

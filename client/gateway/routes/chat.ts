import { z } from '@hono/zod-openapi';
import type { Log } from '../../../agent/define/context';
import { HoldfastError } from '../../../agent/errors/error';
import { isJsonObject, type JsonObject } from '../../../agent/values/json';
import type { UiChunk } from '../../protocols/ai-sdk/chunks';
import { beginningOf } from '../../protocols/ai-sdk/exchange';
import {
  contentOfMessage,
  decidedIn,
  type GivenMessage,
  openBelowIn,
  seenBelowIn,
  seenIn,
} from '../../protocols/ai-sdk/incoming';
import { chunksOf, isInProgress, type UIMessageStreamOptions, uiMessages } from '../../protocols/ai-sdk/read';
import type { ConversationHandle } from '../../runs/conversation-handle';
import { type App, addRoute, addRunRoute, type Call, type Deps } from '../api';
import { has, ownerOf } from '../auth/principal';
import { invalid } from '../guard/body';
import { commandIdOf, runIdOf } from '../runs/access';
import { eventStream, sseEvent } from '../sse';
import { carryOut } from './chat-decisions';
import { streamProblem } from './events';
import { agentNamed } from './runs';
import { object } from './shapes';

const message = z.looseObject({ id: z.string().max(1000), role: z.string(), parts: z.array(z.unknown()).max(10_000) });
/** The body of the AI SDK's `DefaultChatTransport`, with whatever a page adds. */
const chat = z.looseObject({
  id: z.string().min(1).max(1000),
  messages: z.array(z.unknown()).min(1).max(100_000),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
});
type Chat = z.output<typeof chat>;

const STREAM = 'text/event-stream';
const BODY = 'The body of `DefaultChatTransport`. Of its messages only the last one counts.';
const RESUME = 'The exchange in progress from its beginning; 204 if there is none.';

/** The AI SDK's UI message stream, version 1. */
export function addChat(app: App, deps: Deps): void {
  const { access } = deps;
  const tag = 'Chat';
  addRoute(
    app,
    deps,
    {
      method: 'post',
      path: '/v1/agents/{agent}/chat',
      tag,
      summary: 'Chat with an agent, by the AI SDK',
      description: `${BODY} Its \`id\` names the conversation of this user, which the first message starts if the caller has the scope \`start\`.`,
      scope: ['message', 'read'],
      audit: 'chat',
      body: chat,
      stream: STREAM,
    },
    async (call) => {
      const { principal, params, body } = call;
      const { agent, mode } = agentNamed(deps, params.agent ?? '');
      if (mode !== 'conversation') {
        const problem = `\`${agent.name}\` is a task: start it with \`POST /v1/runs\``;
        throw new HoldfastError('InvalidMessage', { problem });
      }
      const id = chatRunId(call, agent.name, body.id);
      call.note({ id });
      const mayStart = body.trigger !== 'regenerate-message' && lastOf(body).role === 'user' && has(principal, 'start');
      if (!mayStart) return answerChat(deps, call, (await access.open(principal, id)).handle);
      const title = titleOf(lastOf(body));
      const handle = access.client.conversation(agent.name, { id, title, owner: ownerOf(principal) });
      return answerChat(deps, call, handle);
    },
  );
  addRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/v1/agents/{agent}/chat/{chatId}/stream',
      tag,
      summary: 'Go on reading an answer',
      description: RESUME,
      scope: 'read',
      stream: STREAM,
      empty: 'No exchange is in progress.',
    },
    async (call) => {
      const { params, principal } = call;
      const { agent } = agentNamed(deps, params.agent ?? '');
      const id = chatRunId(call, agent.name, params.chatId ?? '');
      const run = await access.open(principal, id).catch((error: unknown) => {
        // A chat that has no message yet.
        if (error instanceof HoldfastError && error.type === 'RunNotFound') return undefined;
        throw error;
      });
      return run === undefined ? call.context.body(null, 204) : resume(deps, call, run.handle);
    },
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'post',
      path: '/chat',
      tag,
      summary: 'Chat in a run, by the AI SDK',
      description: BODY,
      scope: ['message', 'read'],
      audit: 'chat',
      body: chat,
      stream: STREAM,
    },
    ({ handle }, call) => answerChat(deps, call, handle),
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/chat/{chatId}/stream',
      tag,
      summary: 'Go on reading an answer of a run',
      description: RESUME,
      scope: 'read',
      stream: STREAM,
      empty: 'No exchange is in progress.',
    },
    ({ handle }, call) => resume(deps, call, handle),
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/ui-messages',
      tag,
      summary: 'The messages of a run, as those of the AI SDK',
      description: 'While `running`, the answer in progress is not among them: it is streamed.',
      scope: 'read',
      answer: z.object({ messages: z.array(object), running: z.boolean() }),
    },
    ({ handle }, { signal }) => uiMessages(handle, signal),
  );
}

/** A chat's id is chosen by its page: it names a run only together with its user. */
function chatRunId({ principal }: Pick<Call<unknown, unknown>, 'principal'>, agent: string, chatId: string): string {
  return runIdOf(principal, 'chat', agent, chatId);
}

/** The first words of a conversation, for lists. */
function titleOf({ parts }: GivenMessage): string {
  const said = parts.map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join(' ');
  return said.replace(/\s+/g, ' ').trim().slice(0, TITLE);
}
const TITLE = 80;

function lastOf({ messages }: Chat): GivenMessage {
  const parsed = message.safeParse(messages.at(-1));
  if (!parsed.success) throw invalid('The last one of `messages` is not a message: expected `{id, role, parts}`.');
  return parsed.data;
}

async function answerChat(
  deps: Deps,
  call: Call<Chat, unknown>,
  handle: ConversationHandle<unknown>,
): Promise<Response> {
  const { principal, body, key } = call;
  const by = principal.user;
  const last = lastOf(body);
  if (body.trigger === 'regenerate-message') {
    const keyed = deps.access.handle(handle.id, keyedId(call, handle.id, 'regenerate'));
    return stream(deps, call, handle, await keyed.regenerate({ by }));
  }
  if (last.role === 'user') {
    // Sent again after a lost connection, it is the same message.
    const id = commandIdOf(principal, 'message', last.id, key ?? '');
    const { exchange, after } = await handle.send(contentOfMessage(last), { by, id });
    return stream(deps, call, handle, { exchange, after });
  }
  if (last.role !== 'assistant') throw invalid('The last message is neither of the user nor of the assistant.');
  const { facts } = await handle.state();
  // Each decision is a command of its own: with one id for all of them, only the first would be carried out.
  await carryOut(deps, principal, handle, decidedIn(last), (id, what) => keyedId(call, id, what));
  const seen = Math.min(facts, seenIn(last) ?? facts);
  return stream(deps, call, handle, { seen, below: seenBelowIn(last), open: openBelowIn(last) });
}

/** The id of one of the commands of a request: a request that is repeated with its key sends it again. */
function keyedId({ principal, key }: Call<unknown, unknown>, id: string, what: string): string | undefined {
  return key === undefined ? undefined : commandIdOf(principal, 'chat', id, what, key);
}

async function resume(
  deps: Deps,
  call: Call<unknown, unknown>,
  handle: ConversationHandle<unknown>,
): Promise<Response> {
  const state = await handle.state();
  if (!isInProgress(state)) return call.context.body(null, 204);
  const after = await beginningOf(handle, state.exchange, state.facts, call.signal);
  return stream(deps, call, handle, { exchange: state.exchange, after });
}

async function stream(
  deps: Deps,
  { principal, signal, leave }: Call<unknown, unknown>,
  handle: ConversationHandle<unknown>,
  place: UIMessageStreamOptions,
): Promise<Response> {
  const close = deps.limits.open(principal.credential);
  const onEnd = () => {
    leave();
    close();
  };
  try {
    const chunks = await chunksOf(handle, { ...place, signal });
    return eventStream(linesOf(chunks, signal, deps.log), {
      onEnd,
      signal,
      // An id may have any characters, a header may not.
      headers: { 'x-vercel-ai-ui-message-stream': 'v1', 'holdfast-run-id': encodeURI(handle.id) },
    });
  } catch (error) {
    onEnd();
    throw error;
  }
}

async function* linesOf(
  chunks: AsyncGenerator<UiChunk, void, undefined>,
  signal: AbortSignal,
  log: Log,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const chunk of chunks) yield sseEvent({ data: JSON.stringify(chunk) });
    if (!signal.aborted) yield sseEvent({ data: '[DONE]' });
  } catch (error) {
    if (signal.aborted) return;
    const failure: UiChunk = { type: 'error', errorText: streamProblem(error, log) };
    yield sseEvent({ data: JSON.stringify(failure satisfies JsonObject) });
  }
}

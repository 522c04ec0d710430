import { setImmediate as pause } from 'node:timers/promises';
import type { ModelConfig } from '../../../agent/model/config';
import type { ContextWindow } from '../../../agent/model/context-window';
import type { Message } from '../../../agent/model/message';
import { earlierMessagesLeftOut } from '../../../agent/prompts/answers';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { Manifest, RunContext } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { type MediaMask, maskMedia } from '../request/mask-media';
import { type CountTokens, loadTokenizer } from './count-tokens';
import { measureMessage, once } from './measure-message';
import { sendRoom } from './room';
import { firstSent, type PruneArgs, type Pruned, pruneMessages } from './trim-messages';

export interface FitArgs {
  call: Pick<CallModelInput, 'turn' | 'trimming' | 'opened'>;
  config: ModelConfig;
  manifest: Manifest;
  context: RunContext;
  /** The whole transcript. */
  messages: readonly Message[];
  mask?: MediaMask | undefined;
}

/** A measured call, and which part of the transcript it sends. Tokens are the worker's own count. */
export interface FittedCall extends FitArgs {
  trimming: ContextWindow;
  /** Missing: the window is unknown, and everything is sent. */
  window?: number;
  system: number;
  tools: number;
  /** The input from which the sent messages were chosen. */
  choice: Omit<PruneArgs, 'room'>;
  pruned: Pruned;
  /** No tokens were estimated. */
  exact: boolean;
  /** What is sent. */
  sent: Message[];
}

/** Milliseconds of counting after which other work has its turn. */
const AT_ONCE = 20;

/** Tokens that fit into a call: as configured for its model, else for another one of the chain, or as learned. */
export function windowOf({
  config,
  manifest,
  call,
}: Pick<FitArgs, 'config' | 'manifest' | 'call'>): number | undefined {
  const known = config.contextWindow ?? manifest.contextWindow;
  const learned = call.trimming?.window;
  return known === undefined || learned === undefined ? (known ?? learned) : Math.min(known, learned);
}

/** Counts a call, and leaves out the oldest messages if it does not fit. */
export async function fitCall(args: FitArgs): Promise<FittedCall> {
  const { call, config, manifest, context, messages } = args;
  const { opened = -1, trimming = { from: 0 } } = call;
  const count = loadTokenizer();
  const system = context.system ? once(context, () => context.system ?? '', count) : { tokens: 0, exact: true };
  const tools = once(manifest, () => toolsText(manifest), count);
  const measured = await measure(args, { messages, from: trimming.from, opened }, count);
  const choice = { messages, tokens: measured.tokens, from: trimming.from, opened };
  const window = windowOf(args);
  // The server's count is converted to our own count, which everything here uses.
  const room = window === undefined ? Infinity : sendRoom(window, config.maxTokens) / (trimming.factor ?? 1);
  const pruned = pruneMessages({ ...choice, room: Math.floor(room - system.tokens - tools.tokens) });
  return {
    ...args,
    trimming,
    ...defined({ window }),
    system: system.tokens,
    tools: tools.tokens,
    choice,
    pruned,
    exact: measured.exact && system.exact && tools.exact,
    sent: sentMessages(messages, pruned),
  };
}

async function measure(
  { call, config, messages, mask }: FitArgs,
  transcript: Omit<PruneArgs, 'room' | 'tokens'>,
  count: CountTokens,
): Promise<{ tokens: number[]; exact: boolean }> {
  const first = firstSent(transcript);
  const tokens: number[] = [];
  let exact = true;
  let since = performance.now();
  for (const [index, message] of maskMedia(messages, call.turn, mask).entries()) {
    const counted = index >= first || index === transcript.opened;
    const size = counted ? measureMessage(message, config, count) : { tokens: 0, exact: true };
    tokens.push(size.tokens);
    exact &&= size.exact;
    if (performance.now() - since < AT_ONCE) continue;
    await pause();
    since = performance.now();
  }
  return { tokens, exact };
}

function toolsText({ tools, output }: Manifest): string {
  const shown = tools.map(({ modelName, description, inputSchema }) => ({
    type: 'function',
    function: { name: modelName, description, parameters: inputSchema },
  }));
  return (shown.length === 0 ? '' : JSON.stringify(shown)) + (output === undefined ? '' : JSON.stringify(output));
}

/** Some servers reject a conversation that starts with a message of the model. */
const LEFT_OUT: Message = {
  role: 'user',
  parts: [{ type: 'text', text: earlierMessagesLeftOut() }],
  turn: 0,
};

function sentMessages(messages: readonly Message[], { from, sent }: Pruned): Message[] {
  const kept = sent.flatMap((index) => messages[index] ?? []);
  return from > 0 && kept[0]?.role === 'assistant' ? [LEFT_OUT, ...kept] : kept;
}

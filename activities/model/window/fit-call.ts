import { setImmediate as pause } from 'node:timers/promises';
import type { ModelConfig } from '../../../agent/model/config';
import type { ContextSummary, ContextWindow } from '../../../agent/model/context-window';
import type { Message } from '../../../agent/model/message';
import { textMessages } from '../../../agent/model/text-calls/text-messages';
import { sectionsText } from '../../../agent/prompt-sections/turn-message';
import { earlierMessagesLeftOut } from '../../../agent/prompts/answers';
import { summaryOfEarlier } from '../../../agent/prompts/compaction';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { SentSection } from '../../../agent/protocol/calls/sent-sections';
import type { Manifest, RunContext, ToolSpec } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { firstSent, pinnedBefore } from '../../../agent/window/cut';
import { sendRoom, wrapUpRoom } from '../../../agent/window/room';
import { type MediaMask, maskMedia } from '../request/mask-media';
import { textSystem } from '../text-calls/text-request';
import { type CountTokens, loadTokenizer, NO_TOKENS, sumOf } from './count-tokens';
import { cutAnswer } from './cut-answer';
import { measureMessage, once } from './measure-message';
import { shortenResults } from './shorten-results';
import { type PruneArgs, type Pruned, pruneMessages } from './trim-messages';

export interface FitArgs {
  call: Pick<CallModelInput, 'turn' | 'trimming' | 'opened' | 'reminder' | 'mediaAgain'>;
  config: ModelConfig;
  manifest: Manifest;
  /** The tools of the call. Default: those of the manifest. */
  offered?: readonly ToolSpec[] | undefined;
  context: RunContext;
  /** The whole transcript. */
  messages: readonly Message[];
  /** The summary that `call.trimming` names. */
  summary?: ContextSummary | undefined;
  mask?: MediaMask | undefined;
  /** The sections of the turn message. */
  sections?: readonly SentSection[] | undefined;
}

/** A measured call, and which part of the transcript it sends. Tokens are the worker's own count. */
export interface FittedCall extends FitArgs {
  trimming: ContextWindow;
  /** Missing: the window is unknown, and everything is sent. */
  window?: number;
  /**
   * The same, if it is what the configuration of the model says: then the worker decides what fits. A window that was learned
   * may be too small by a third, and that of another model of the chain is a guess: with these, the server decides.
   */
  knownWindow?: number;
  /** Tokens that may be sent, as the server counts them. `Infinity`: the window is unknown. */
  room: number;
  system: number;
  tools: number;
  /** Tokens of the summary, wherever it is. */
  head: number;
  /** Tokens of the turn message. */
  turnMessage: number;
  /** The input from which the sent messages were chosen. */
  choice: Omit<PruneArgs, 'room'>;
  pruned: Pruned;
  /** No tokens were estimated. */
  exact: boolean;
  /** What is sent, the summary included. */
  sent: Message[];
  /** The system prompt that is sent. */
  prompt?: string;
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

/** Counts a call. If it does not fit, the oldest messages are left out, and a last answer that is too long is cut. */
export async function fitCall(args: FitArgs): Promise<FittedCall> {
  const { call, config, manifest, context, summary, sections, offered } = args;
  const { opened = -1, trimming = { from: 0 } } = call;
  const messages = shortenResults(args.messages, trimming.shortened);
  const count = loadTokenizer();
  const prompt = context.system ? once(context, () => context.system ?? '', count) : NO_TOKENS;
  const system = call.reminder === undefined ? prompt : sumOf(prompt, count(call.reminder));
  const tools = once(offered ?? manifest, () => toolsText(manifest, offered), count);
  const head = summary === undefined ? NO_TOKENS : once(summary, () => summaryOfEarlier(summary.text), count);
  const turnMessage = sections === undefined ? NO_TOKENS : once(sections, () => sectionsText(sections), count);
  const measured = await measure({ ...args, messages }, { messages, from: trimming.from, opened }, count);
  const whole = { messages, tokens: measured.tokens, from: trimming.from, opened };
  const window = windowOf(args);
  const { contextWindow = Infinity, maxTokens } = config;
  const room = window === undefined ? Infinity : sendRoom(window, { maxTokens, spec: manifest.context });
  const fixed = { system: system.tokens, tools: tools.tokens, head: head.tokens, turnMessage: turnMessage.tokens };
  // In tokens of our own count.
  const { factor = 1 } = trimming;
  const left = Math.floor(room / factor) - fixedTokens(fixed);
  const next = window === undefined ? 0 : wrapUpRoom(window, manifest.context) / factor;
  const choice = cutAnswer(whole, left - next, (message) => measureMessage(message, config, count).tokens);
  const pruned = pruneMessages({ ...choice, room: left });
  return {
    ...args,
    trimming,
    ...defined({ window, knownWindow: window !== undefined && window >= contextWindow ? window : undefined }),
    room,
    ...fixed,
    choice,
    pruned,
    exact: [measured, system, tools, head, turnMessage].every(({ exact }) => exact),
    ...sentOf({ ...args, messages: choice.messages }, pruned),
  };
}

/** Tokens of what is sent whatever messages are chosen. */
export function fixedTokens({
  system,
  tools,
  head,
  turnMessage,
}: Pick<FittedCall, 'system' | 'tools' | 'head' | 'turnMessage'>): number {
  return system + tools + head + turnMessage;
}

/** Only what may be sent is measured: a long run has many times as many messages. */
async function measure(
  { call, config, manifest, messages, mask }: FitArgs,
  transcript: Omit<PruneArgs, 'room' | 'tokens'>,
  count: CountTokens,
): Promise<{ tokens: number[]; exact: boolean }> {
  const first = firstSent(transcript);
  const pinned = pinnedBefore(first, transcript);
  const asked = [...pinned.flatMap((index) => messages[index] ?? []), ...messages.slice(first)];
  const shown = manifest.toolCalls === 'text' ? textMessages(asked, manifest.tools) : asked;
  const tokens = new Array<number>(messages.length);
  let exact = true;
  let since = performance.now();
  for (const [i, message] of maskMedia(shown, call, mask).entries()) {
    const size = measureMessage(message, config, count);
    tokens[pinned[i] ?? first + i - pinned.length] = size.tokens;
    exact &&= size.exact;
    if (performance.now() - since < AT_ONCE) continue;
    await pause();
    since = performance.now();
  }
  return { tokens, exact };
}

/** What is sent beside the system prompt and the messages: tools, and the form of the output. */
function toolsText(manifest: Manifest, tools: readonly ToolSpec[] = manifest.tools): string {
  const { output, completes, toolCalls, prompt } = manifest;
  if (toolCalls === 'text') {
    return textSystem(undefined, { tools, output, completes, toolsInTurn: prompt !== undefined }) ?? '';
  }
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

/** Small models follow a summary best in the system prompt. Elsewhere the prompt stays in the provider's cache. */
export function sentOf(
  { messages, summary, context, manifest }: Pick<FitArgs, 'messages' | 'summary' | 'context' | 'manifest'>,
  { from, sent }: Pruned,
): Pick<FittedCall, 'sent' | 'prompt'> {
  const kept = sent.flatMap((index) => messages[index] ?? []);
  const { system } = context;
  if (summary !== undefined && manifest.modelClass !== 'small') {
    return { sent: [summaryMessage(summary), ...kept], ...defined({ prompt: system }) };
  }
  const head = summary === undefined ? [] : [summaryOfEarlier(summary.text)];
  const prompt = [...head, ...(system ? [system] : [])].join('\n\n');
  const begins = from > 0 && kept[0]?.role === 'assistant';
  return { sent: begins ? [LEFT_OUT, ...kept] : kept, ...(prompt === '' ? {} : { prompt }) };
}

function summaryMessage({ text }: ContextSummary): Message {
  return { role: 'user', parts: [{ type: 'text', text: summaryOfEarlier(text) }], turn: 0 };
}

import type { MeasuredCall } from '../../../agent/protocol/calls/model-call';
import { defined } from '../../../agent/values/defined';
import { answerRoom } from '../../../agent/window/room';
import { type FittedCall, fixedTokens } from './fit-call';

/** Bounds of {@link factorOf}: a count further off counts something else, such as what was not in a cache. */
const LEAST = 0.5;
const MOST = 2;

/** How much of the window a call took; `prompt` is the server's count, if it reported one. */
export function measuredCall(fitted: FittedCall, prompt?: number): MeasuredCall {
  const { call, config, manifest, trimming, window, pruned, messages } = fitted;
  const answer = window === undefined ? 0 : answerRoom(window, { maxTokens: config.maxTokens, spec: manifest.context });
  const factor = prompt === undefined ? (trimming.factor ?? 1) : factorOf(fitted, prompt);
  const used = prompt ?? Math.round(ownCount(fitted) * factor);
  return {
    budget: {
      turn: call.turn,
      ...defined({ total: window }),
      used,
      ...(window === undefined ? {} : { remaining: Math.max(0, window - answer - used) }),
      system: Math.round(fitted.system * factor),
      tools: Math.round(fitted.tools * factor),
      ...(fitted.turnMessage === 0 ? {} : { sections: Math.round(fitted.turnMessage * factor) }),
      ...(fitted.head === 0 ? {} : { summary: Math.round(fitted.head * factor) }),
      messages: messages.length,
      dropped: messages.length - pruned.sent.length,
      counted: prompt !== undefined ? 'usage' : fitted.exact ? 'tokenizer' : 'estimate',
    },
    trimming: { ...trimming, from: pruned.from, ...(prompt === undefined ? {} : { factor }) },
  };
}

/** The worker's own count of all that is sent. */
export function ownCount(fitted: FittedCall): number {
  return fixedTokens(fitted) + fitted.pruned.tokens;
}

/** Tokens that the server counts for one of ours. */
export function factorOf(fitted: FittedCall, counted: number): number {
  const factor = counted / Math.max(1, ownCount(fitted));
  return Math.round(Math.min(MOST, Math.max(LEAST, factor)) * 1000) / 1000;
}

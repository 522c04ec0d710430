import type { ContextWindow } from '../../agent/model/context-window';
import type { CountMessageInput, CountMessageResult } from '../../agent/protocol/calls/count-message';
import type { Manifest, Pin, RunContext } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { sendRoom } from '../../agent/window/room';
import { toolsOffered } from '../tool-filter/offer-tools';
import { configOf, type PrepareCallDeps } from './prepare-call';
import { fitCall } from './window/fit-call';

export interface CountMessageDeps extends Pick<PrepareCallDeps, 'models' | 'headersOf'> {
  pinned(pin: Pin): Promise<{ manifest: Manifest; context: RunContext }>;
}

/** Makes the activity `holdfast.countMessage`: whether a message of a person fits into any call. */
export function createCountMessage(deps: CountMessageDeps): (input: CountMessageInput) => Promise<CountMessageResult> {
  return async ({ pin, model, parts, trimming, filter }) => {
    const { manifest, context } = await deps.pinned(pin);
    const config = configOf(deps, model, manifest);
    const messages = [{ role: 'user' as const, parts, turn: 0 }];
    const { factor = 1, window: learned } = trimming;
    const alone: ContextWindow = { from: 0, ...defined({ window: learned, factor: trimming.factor }) };
    const fitted = await fitCall({
      call: { turn: 1, opened: 0, trimming: alone },
      config,
      manifest,
      offered: toolsOffered(manifest, filter),
      context,
      messages,
    });
    const { window, pruned, system, tools } = fitted;
    // A learned window may be too small by a third: the server decides.
    const isLearned = window !== undefined && window < (config.contextWindow ?? manifest.contextWindow ?? Infinity);
    if (pruned.fits || window === undefined || isLearned) return { ok: true };
    const room = sendRoom(window, { maxTokens: config.maxTokens, spec: manifest.context });
    const max = Math.max(0, Math.floor(room - (system + tools) * factor));
    return { ok: false, tokens: Math.round(pruned.tokens * factor), max, window };
  };
}

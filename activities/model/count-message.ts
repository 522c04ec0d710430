import type { ContextWindow } from '../../agent/model/context-window';
import type { CountMessageInput, CountMessageResult } from '../../agent/protocol/calls/count-message';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import type { Manifest, Pin, RunContext } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { toolsOffered } from '../tool-filter/offer-tools';
import { configOf, type PrepareCallDeps } from './prepare-call';
import { fitCall } from './window/fit-call';

export interface CountMessageDeps extends Pick<PrepareCallDeps, 'models' | 'headersOf'> {
  pinned(pin: Pin): Promise<{ manifest: Manifest; context: RunContext }>;
}

/** Makes the activity `holdfast.countMessage`: whether a message of a person fits into any call. */
export function createCountMessage(deps: CountMessageDeps): (input: CountMessageInput) => Promise<CountMessageResult> {
  return async (input) => {
    const { manifest, context } = await deps.pinned(input.pin);
    const verdict = await countFor(deps, input, { manifest, context });
    if (verdict.ok || !decidesSince({ manifest }, SINCE.movesOnUnfit)) return verdict;
    // What is too large for a model moves on to those behind it. The place of one that a person chose is not known.
    const { model, trimming: _, ...message } = input;
    const behind = manifest.models.slice(manifest.models.indexOf(model) + 1).filter((alias) => deps.models[alias]);
    let largest = verdict;
    for (const alias of behind) {
      const other = await countFor(deps, { ...message, model: alias, trimming: { from: 0 } }, { manifest, context });
      if (other.ok) return other;
      if (other.max > largest.max) largest = other;
    }
    return largest;
  };
}

type Pinned = Awaited<ReturnType<CountMessageDeps['pinned']>>;

/** Whether a message fits into a call of one model. */
async function countFor(
  deps: CountMessageDeps,
  { model, parts, trimming, filter }: CountMessageInput,
  { manifest, context }: Pinned,
): Promise<CountMessageResult> {
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
  const { knownWindow: window, room, pruned, system, tools } = fitted;
  if (pruned.fits || window === undefined) return { ok: true };
  const max = Math.max(0, Math.floor(room - (system + tools) * factor));
  return { ok: false, tokens: Math.round(pruned.tokens * factor), max, window };
}

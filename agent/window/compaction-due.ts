import type { Message, Part } from '../model/message';
import type { CompactionMethod } from '../protocol/calls/compaction';
import type { AgentState } from '../state/state';
import { jsonBytes, utf8Bytes } from '../values/json';
import { cutKeeping } from './cut';
import { isLong } from './long-result';
import { MEDIA_TOKENS } from './media-tokens';
import { safetyRoom, thresholdOf } from './room';

/** Messages that are not compacted if the agent says nothing. */
const KEEP = 10;

/** Bytes of a token, for text that the worker has not counted yet: few, so that JSON and code are not underestimated. */
const BYTES_PER_TOKEN = 3;
/** Tokens of a message beside its text. */
const FRAME = 4;

/**
 * Whether old messages are compacted before the next model call: a person asked for it, or fewer tokens are left than the
 * threshold of the agent. What joined the transcript since the last call is estimated.
 */
export function compactionDue(state: AgentState): boolean {
  if (state.compaction?.asked !== undefined) return true;
  const { manifest, budget, messages } = state;
  const spec = manifest?.context;
  if (spec === undefined || spec.strategy === 'trim' || !hasGrown(state)) return false;
  if (budget?.total === undefined || budget.remaining === undefined) return false;
  const added = messages.slice(budget.messages).reduce((sum, message) => sum + estimate(message), 0);
  const left = budget.remaining - safetyRoom(budget.total, spec) - added;
  return left < thresholdOf(budget.total, spec) && compactable(state) > 0;
}

/** How the run compacts. A person may compact a run that otherwise only leaves old messages out. */
export function methodOf({ manifest }: Pick<AgentState, 'manifest'>): CompactionMethod {
  const strategy = manifest?.context?.strategy ?? 'trim';
  return strategy === 'trim' ? 'summarise' : strategy;
}

/** How many of the newest messages stay. */
export function kept(state: Pick<AgentState, 'manifest' | 'compaction'>): number {
  return state.compaction?.asked?.keep ?? defaultKeep(state);
}

/** How many stay if a person says nothing. */
export function defaultKeep({ manifest }: Pick<AgentState, 'manifest'>): number {
  return manifest?.context?.keep ?? KEEP;
}

/** How many messages a compaction replaces. */
export function compactable(state: AgentState, keep = kept(state)): number {
  const { messages, opened, trimming, summary } = state;
  const cut = cutKeeping(keep, { messages, opened });
  if (methodOf(state) !== 'tool-results') return Math.max(0, cut - (summary?.upTo ?? 0));
  const { from, shortened = 0 } = trimming;
  return messages.slice(Math.max(from, shortened), cut).filter(isLong).length;
}

/** After a compaction, or one that failed, some messages have to follow before the next one: each is a paid call. */
function hasGrown(state: AgentState): boolean {
  const { messages, compaction } = state;
  if (compaction === undefined || compaction.tried > messages.length) return true;
  return messages.length - compaction.tried >= Math.max(1, Math.floor(defaultKeep(state) / 2));
}

function estimate({ parts }: Message): number {
  return parts.reduce((sum, part) => sum + tokensOf(part), FRAME);
}

function tokensOf(part: Part): number {
  switch (part.type) {
    case 'text':
      return Math.ceil(utf8Bytes(part.text) / BYTES_PER_TOKEN);
    case 'tool_use':
      return Math.ceil(jsonBytes(part.input) / BYTES_PER_TOKEN);
    case 'tool_result':
      return part.content.reduce((sum, piece) => sum + tokensOf(piece), 0);
    case 'media':
      return MEDIA_TOKENS;
    case 'reasoning':
      return 0;
  }
}

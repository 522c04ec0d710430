import type { Message, ToolUsePart } from './message';

/** Ids of calls as runs mint them, see {@link ToolUsePart.toolUseId}. */
const OURS = /^t\d+\.\d+$/;

/**
 * The id under which each call of a transcript is sent, by our `toolUseId`: the provider's own id if it gave one that
 * no earlier call has, else ours. With a repeated id a server would match a result to the wrong call, or reject the
 * request. What follows never changes the id of a call: the provider's cache would lose everything from there on.
 */
export function sentCallIds(messages: readonly Message[]): Map<string, string> {
  // Every call of a model goes through all messages: no lists in between.
  const calls: ToolUsePart[] = [];
  const taken = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== 'tool_use') continue;
      calls.push(part);
      taken.add(part.toolUseId);
    }
  }
  const ids = new Map<string, string>();
  for (const { toolUseId, providerId = '' } of calls) {
    const isFree = providerId !== '' && !taken.has(providerId) && !OURS.test(providerId);
    if (isFree) taken.add(providerId);
    ids.set(toolUseId, isFree ? providerId : toolUseId);
  }
  return ids;
}

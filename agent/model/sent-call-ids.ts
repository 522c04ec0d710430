import type { Message, ToolUsePart } from './message';

/** Ids of calls as runs mint them, see {@link ToolUsePart.toolUseId}. */
const OURS = /^t\d+\.\d+$/;

/**
 * The id under which each call of a transcript is sent, by our `toolUseId`: the provider's own id if it gave one that
 * no earlier call has, else ours. With a repeated id a server would match a result to the wrong call, or reject the
 * request. What follows never changes the id of a call: the provider's cache would lose everything from there on.
 */
export function sentCallIds(messages: readonly Message[]): Map<string, string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_use'));
  const taken = new Set(calls.map(({ toolUseId }) => toolUseId));
  return new Map(
    calls.map(({ toolUseId, providerId = '' }) => {
      if (providerId === '' || OURS.test(providerId) || taken.has(providerId)) return [toolUseId, toolUseId];
      taken.add(providerId);
      return [toolUseId, providerId];
    }),
  );
}

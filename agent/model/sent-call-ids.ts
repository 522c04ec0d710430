import type { Message } from './message';

/**
 * The id under which each call of a transcript is sent, by our `toolUseId`: the provider's own id if it gave one and
 * used it once, else ours. With a repeated id a server would match a result to the wrong call, or reject the request.
 */
export function sentCallIds(messages: readonly Message[]): Map<string, string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_use'));
  const ours = new Set(calls.map(({ toolUseId }) => toolUseId));
  const used = new Map<string, number>();
  for (const { providerId } of calls) {
    if (providerId !== undefined) used.set(providerId, (used.get(providerId) ?? 0) + 1);
  }
  return new Map(
    calls.map(({ toolUseId, providerId }) => {
      const theirs = providerId !== undefined && providerId !== '' && used.get(providerId) === 1;
      return [toolUseId, theirs && !ours.has(providerId) ? providerId : toolUseId];
    }),
  );
}

import { HoldfastError } from '../../../agent/errors/error';
import type { ContentPart } from '../../../agent/model/message';
import type { Json, JsonObject } from '../../../agent/values/json';
import { isJsonObject } from '../../../agent/values/json';
import { isBelow } from './below/agent-below';

/** A message of a chat, as its page sends it. Nothing in it is believed: it may be forged. */
export interface GivenMessage {
  id: string;
  role: string;
  parts: readonly unknown[];
  metadata?: unknown;
}

/** What a person has decided or answered in the last message of the assistant. */
export interface Decided {
  toolCallId: string;
  /** Missing: the reader gives the result of the call, or the answer to its question. */
  approval?: { id: string; approved: boolean; reason?: string; input?: JsonObject };
  output?: Json;
  error?: string;
}

/**
 * The content of a message of a person. Parts of other kinds are the page's own, and are left out.
 * @throws HoldfastError `InvalidMessage`
 */
export function contentOfMessage({ parts }: GivenMessage): ContentPart[] {
  const content = parts.flatMap((part): ContentPart[] => {
    if (!isJsonObject(part)) return [];
    if (part.type === 'text' && typeof part.text === 'string') return [{ type: 'text', text: part.text }];
    return part.type === 'file' ? [fileOf(part)] : [];
  });
  if (content.length === 0) fail('The last message has neither a text nor a file');
  return content;
}

function fileOf({ mediaType, url, filename }: JsonObject): ContentPart {
  if (typeof url !== 'string' || typeof mediaType !== 'string') return fail('A file needs `mediaType` and `url`');
  const name = typeof filename === 'string' ? { name: filename } : {};
  const [, data] = /^data:[^,]*;base64,([A-Za-z0-9+/=\s]*)$/.exec(url) ?? [];
  if (data !== undefined) return { type: 'media', mediaType, data, ...name };
  if (/^https?:\/\//.test(url)) return { type: 'media', mediaType, url, ...name };
  return fail('Expected the `url` of a file to be an `https:` address, or base64 as `data:`');
}

/** What the parts of the assistant's last message say about its calls: the last word on each. */
export function decidedIn({ parts }: GivenMessage): Decided[] {
  const edits = new Map<string, JsonObject>();
  for (const part of parts) {
    if (!isJsonObject(part) || part.type !== 'data-edit' || !isJsonObject(part.data)) continue;
    const { toolCallId, input } = part.data;
    if (typeof toolCallId === 'string' && isJsonObject(input)) edits.set(toolCallId, input);
  }
  return parts.flatMap((part): Decided[] => {
    if (!isJsonObject(part) || typeof part.toolCallId !== 'string') return [];
    const { type, toolCallId, state, approval } = part;
    if (type !== 'dynamic-tool' && !String(type).startsWith('tool-')) return [];
    if (state === 'approval-responded' && isJsonObject(approval)) {
      const { id, approved, reason } = approval;
      if (typeof id !== 'string' || typeof approved !== 'boolean') return [];
      const input = edits.get(toolCallId);
      const more = { ...(typeof reason === 'string' ? { reason } : {}), ...(input === undefined ? {} : { input }) };
      return [{ toolCallId, approval: { id, approved, ...more } }];
    }
    if (state === 'output-available') return [{ toolCallId, output: part.output ?? null }];
    if (state === 'output-error') return [{ toolCallId, error: String(part.errorText ?? 'It failed.') }];
    return [];
  });
}

/** Number of the last fact that the assistant's message has, if it says so. */
export function seenIn({ metadata }: GivenMessage): number | undefined {
  const facts = isJsonObject(metadata) ? metadata.facts : undefined;
  return typeof facts === 'number' && Number.isSafeInteger(facts) && facts >= 0 ? facts : undefined;
}

/** The same for the agents that work for the run. */
export function seenBelowIn({ metadata }: GivenMessage): { [path: string]: number } {
  const below = isJsonObject(metadata) ? metadata.below : undefined;
  const given = isJsonObject(below as Json) ? Object.entries(below as JsonObject) : [];
  return Object.fromEntries(given.filter((one): one is [string, number] => Number.isSafeInteger(one[1])));
}

/** Ids of its calls of agents that work for the run which have no outcome. */
export function openBelowIn({ parts }: GivenMessage): string[] {
  return parts.flatMap((part) => {
    if (!isJsonObject(part) || typeof part.toolCallId !== 'string' || !isBelow(part.toolCallId)) return [];
    return String(part.state).startsWith('output-') ? [] : [part.toolCallId];
  });
}

function fail(problem: string): never {
  throw new HoldfastError('InvalidMessage', { problem });
}

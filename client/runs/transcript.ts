import type { Client } from '@temporalio/client';
import { messageOf } from '../../agent/errors/error';
import type { ChatMessage } from '../../agent/model/chat/chat-message';
import { openAiForm } from '../../agent/model/chat/openai-form';
import type { Message } from '../../agent/model/message';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import { QUERY, type TranscriptPage } from '../../agent/protocol/queries';
import { defined } from '../../agent/values/defined';
import { patientQuery } from '../requests/patient-query';
import { earlierRuns, isUnreadable, type Place } from './earlier-runs';

/** Which messages to read, and in which form. */
export interface TranscriptOptions {
  /** Index of the first message. Default 0. */
  from?: number;
  /**
   * `parts`: messages with parts, as the run keeps them (the default). `openai`: as OpenAI's chat completions, with the
   * system prompt first if `from` is 0, and with the names that the model has for the tools.
   */
  form?: 'parts' | 'openai';
}

/** The messages from an index on, over all Temporal runs of the chain, fetched in pages of about 1 MB. */
export async function readTranscript(client: Client, place: Place, from: number): Promise<Message[]> {
  const messages: Message[] = [];
  let at = from;
  for (;;) {
    const page = await readPage(client, place, at);
    if (page.from > at) {
      messages.push(...(await readEarlier(client, place, { from: at, to: page.from })));
      at = page.from;
    }
    messages.push(...page.messages);
    at += page.messages.length;
    if (page.messages.length === 0 || at >= page.length) return messages;
  }
}

function readPage(client: Client, { id, workerTimeout }: Place, at: number, runId?: string): Promise<TranscriptPage> {
  return patientQuery<TranscriptPage>(client, id, QUERY.transcript, {
    argument: at,
    hasEnded: runId !== undefined,
    ...defined({ workerTimeout, runId }),
  });
}

/** Messages that only earlier runs of the chain have. One message marks those that can no longer be read. */
async function readEarlier(
  client: Client,
  place: Place,
  { from, to }: { from: number; to: number },
): Promise<Message[]> {
  const messages: Message[] = [];
  let at = from;
  for (const link of await earlierRuns(client, place)) {
    const end = Math.min(link.messages, to);
    try {
      while (at < end) {
        const page = await readPage(client, place, at, link.runId);
        if (page.from > at) messages.push(missing(at, page.from, 'no run of the chain has them'));
        messages.push(...page.messages.slice(0, end - page.from));
        at = Math.min(page.from + page.messages.length, end);
        if (page.messages.length === 0) break;
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      messages.push(missing(at, end, messageOf(error)));
      at = end;
    }
  }
  if (at < to) messages.push(missing(at, to, 'no run of the chain is known to have them'));
  return messages;
}

function missing(from: number, to: number, why: string): Message {
  const text = `[The messages ${from} to ${to - 1} can no longer be read: ${why}]`;
  return { role: 'user', parts: [{ type: 'text', text }], turn: 0, missing: { from, to, why } };
}

/** The same as OpenAI's chat messages. */
export async function readChatMessages(client: Client, place: Place, from: number): Promise<ChatMessage[]> {
  const { system, modelNames } = await readPrompt(client, place);
  const messages = await readTranscript(client, place, from);
  return openAiForm(messages, { modelNames, ...(from === 0 ? { system } : {}) });
}

/** What the model knows besides the messages: the system prompt, and its names of the tools by canonical name. */
export async function readPrompt(
  client: Client,
  { id, workerTimeout }: Place,
): Promise<{ system: string | undefined; modelNames: ReadonlyMap<string, string> }> {
  const pinned = <T>(argument: 'manifest' | 'context') =>
    patientQuery<T | null>(client, id, QUERY.pinned, { argument, ...defined({ workerTimeout }) });
  const { system } = (await pinned<RunContext>('context')) ?? {};
  const { tools = [] } = (await pinned<Manifest>('manifest')) ?? {};
  return { system: system ?? undefined, modelNames: new Map(tools.map(({ name, modelName }) => [name, modelName])) };
}

import type { Client } from '@temporalio/client';
import type { ChatMessage } from '../../agent/model/chat/chat-message';
import { openAiForm } from '../../agent/model/chat/openai-form';
import type { Message } from '../../agent/model/message';
import { QUERY, type TranscriptPage } from '../../agent/protocol/activities';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { patientQuery } from '../requests/patient-query';

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

interface Place {
  id: string;
  workerTimeout: number | undefined;
}

/** The messages from an index on, fetched in pages of about 1 MB. */
export async function readTranscript(client: Client, { id, workerTimeout }: Place, from: number): Promise<Message[]> {
  const messages: Message[] = [];
  for (;;) {
    const page = await patientQuery<TranscriptPage>(client, id, QUERY.transcript, {
      argument: from + messages.length,
      ...defined({ workerTimeout }),
    });
    messages.push(...page.messages);
    if (page.messages.length === 0 || from + messages.length >= page.length) return messages;
  }
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

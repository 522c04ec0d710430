import type { JsonObject } from '../../agent/values/json';
import { closeAfterTest } from '../close-after-test';
import type { ModelReply } from '../kit/model-reply';
import { type ModelServer, serveModel } from '../kit/model-server';

export const serve = async (reply: ModelReply): Promise<ModelServer> => closeAfterTest(await serveModel(() => reply));

export function post(url: string, extra: JsonObject = {}, init: RequestInit = {}): Promise<Response> {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...extra };
  return fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), ...init });
}

interface Chunk {
  /** Marks `[DONE]`. */
  done?: true;
  choices?: {
    delta: {
      content?: string;
      tool_calls?: { index: number; id?: string; function: { arguments: string } }[];
      [field: string]: unknown;
    };
    finish_reason: string | null;
  }[];
  usage?: JsonObject;
}

/** The chunks of a whole stream. */
export async function chunks(url: string, extra: JsonObject = {}): Promise<Chunk[]> {
  const response = await post(url, { stream: true, ...extra });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return (await response.text())
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^data: /, ''))
    .map((data) => (data === '[DONE]' ? { done: true } : (JSON.parse(data) as Chunk)));
}

export const contentOf = (all: Chunk[]) => all.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').join('');

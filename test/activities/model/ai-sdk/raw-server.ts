import { createServer, type ServerResponse } from 'node:http';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { JsonObject } from '../../../../agent/values/json';
import { KEY } from '../../../adapters/provider';
import { closeAfterTest } from '../../../close-after-test';
import { listen, textOf } from '../../../kit/http-exchange';

export interface RawServer {
  url: string;
  /** The bodies of the requests, in order. */
  bodies: JsonObject[];
  /** Models behind this server. */
  claude(
    model?: string,
    options?: Parameters<typeof createAnthropic>[0],
  ): ReturnType<ReturnType<typeof createAnthropic>>;
  gemini(model?: string): ReturnType<ReturnType<typeof createGoogleGenerativeAI>>;
}

/** A server that sends answers written by hand, one for each request. */
export async function raw(...answers: ((response: ServerResponse) => unknown)[]): Promise<RawServer> {
  const bodies: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    const answer = answers[bodies.length];
    bodies.push(JSON.parse(await textOf(request)) as JsonObject);
    if (answer === undefined) response.writeHead(400).end('The script has ended');
    else answer(response);
  });
  const { port, close } = await listen(server);
  closeAfterTest({ close });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    bodies,
    claude: (model = 'claude-sonnet-4-5', options = {}) =>
      createAnthropic({ baseURL: `${url}/v1`, apiKey: KEY, ...options })(model),
    gemini: (model = 'gemini-3-pro') => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: KEY })(model),
  };
}

/** A stream of these events. */
export const events =
  (...data: readonly (JsonObject | string)[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of data) response.write(typeof each === 'string' ? each : `data: ${JSON.stringify(each)}\n\n`);
    response.end();
  };

/** A JSON answer. */
export const json =
  (status: number, body: JsonObject | string, headers: { [name: string]: string } = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** The events of a message of Anthropic, around its blocks. */
export function message(blocks: readonly JsonObject[][], end: JsonObject = {}): JsonObject[] {
  const { usage = {}, ...delta } = end;
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        model: 'claude-x',
        usage: { input_tokens: 10, output_tokens: 1, ...(usage as JsonObject) },
      },
    },
    ...blocks.flatMap((block, index): JsonObject[] => [
      ...block.map((event) => ({ ...event, index })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn', ...delta }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
}

export const begins = (block: JsonObject): JsonObject => ({ type: 'content_block_start', content_block: block });
export const grows = (delta: JsonObject): JsonObject => ({ type: 'content_block_delta', delta });

/** A text of Anthropic. */
export const said = (text: string) => [begins({ type: 'text', text: '' }), grows({ type: 'text_delta', text })];
/** A call of Anthropic. */
export const called = (name: string, input: JsonObject, id = 'toolu_1') => [
  begins({ type: 'tool_use', id, name, input: {} }),
  grows({ type: 'input_json_delta', partial_json: JSON.stringify(input) }),
];

/** A chunk of Gemini. */
export const chunk = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts: [...parts] }, ...more }],
});
export const finished: JsonObject = {
  candidates: [{ finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 3, cachedContentTokenCount: 5 },
};

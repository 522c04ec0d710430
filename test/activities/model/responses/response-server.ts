import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerModel } from '../../../../agent/model/config';
import type { JsonObject } from '../../../../agent/values/json';
import type { WireReply } from '../../../adapters/wire';
import { responses } from '../../../adapters/wires/responses';
import { closeAfterTest } from '../../../close-after-test';

/** An answer: as the protocol's server writes it, events as they are, or a body with its status. */
export type ResponseStep =
  | { reply: WireReply }
  | { events: readonly JsonObject[] }
  | { body: JsonObject; status?: number; headers?: { [name: string]: string } };

export interface ResponseServer {
  url: string;
  /** Path, headers and body of each request. */
  requests: { path: string; headers: IncomingHttpHeaders; body: JsonObject }[];
  close(): Promise<void>;
}

/** A server that speaks OpenAI's Responses, with one step for each request of a test. */
export const responseServer = async (...steps: ResponseStep[]) => closeAfterTest(await serveResponses(...steps));

/** The same for several tests: the caller closes it. */
export async function serveResponses(...steps: ResponseStep[]): Promise<ResponseServer> {
  const requests: ResponseServer['requests'] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
    requests.push({ path: message.url ?? '', headers: message.headers, body });
    const step = steps[requests.length - 1];
    if (step === undefined) throw new Error(`There is no step ${requests.length}`);
    if ('reply' in step) await responses.send(step.reply, responses.asked(body, message.headers), response);
    else if ('events' in step) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(step.events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    } else {
      response.writeHead(step.status ?? 200, { 'content-type': 'application/json', ...step.headers });
      response.end(JSON.stringify(step.body));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** A model behind such a server. */
export function modelAt({ url }: ResponseServer, extra: Partial<ServerModel> = {}): ServerModel {
  return { baseUrl: `${url}/v1`, model: 'm', api: 'responses', apiKey: 'test-key-1234567890', ...extra };
}

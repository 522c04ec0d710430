import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../agent/values/json';
import { Arrivals, type Exchange, exchangeOf, listen, textOf } from '../kit/http-exchange';
import { usageOf, withCallIds } from '../kit/reply-pieces';
import { sendJson } from '../kit/send-reply';
import { type Provider, type ProviderKind, type ProviderRequest, Script, type WireStep } from './provider';
import type { Asked, Wire, WireReply } from './wire';

/** A provider that speaks this protocol over HTTP. */
export function overHttp(wire: Wire): ProviderKind {
  const { name, lacks } = wire;
  return { name, lacks, open: (...steps) => serveWire(wire, steps) };
}

/** Opens a server on 127.0.0.1. Every POST is a request to the model. */
async function serveWire(wire: Wire, steps: readonly WireStep[]): Promise<Provider> {
  const arrivals = new Arrivals<ProviderRequest>();
  const script = new Script(steps);

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = exchangeOf(response);
    const text = await textOf(message);
    const body = JSON.parse(text) as JsonObject;
    const asked = wire.asked(body, message.headers);
    const number = arrivals.add({ ...asked, text, closed: exchange.socketClosed });
    const { delay = 0, ...reply } = withCallIds(await script.next(asked), number);
    await sleep(delay, undefined, { signal: exchange.gone });
    await send(wire, { ...reply, usage: usageOf(reply, body) }, { asked, response, exchange });
  };

  const server = createServer((message, response) => {
    if (message.method !== 'POST') return sendJson(response, 404, wire.error(404, { message: 'No such path' }));
    answer(message, response).catch((error: unknown) => {
      // The caller has gone away, or a mistake of the test: then the caller must not wait.
      if (response.headersSent || response.destroyed) response.destroy();
      else sendJson(response, 400, wire.error(400, { message: String(error) }));
    });
  });
  const { port, close } = await listen(server);
  return {
    requests: arrivals.all,
    request: (number) => arrivals.wait(number),
    model: ({ idleTimeout, contextWindow, ...settings } = {}) => ({
      ...wire.model(`http://127.0.0.1:${port}`, settings),
      ...(idleTimeout === undefined ? {} : { idleTimeout }),
      ...(contextWindow === undefined ? {} : { contextWindow }),
    }),
    close,
  };
}

interface Sending {
  asked: Asked;
  response: ServerResponse;
  exchange: Exchange;
}

/** Sends a reply, or its fault. */
async function send(wire: Wire, reply: WireReply, { asked, response, exchange }: Sending): Promise<void> {
  const { fault } = reply;
  switch (fault?.kind) {
    case 'status': {
      const { status, code, message, headers } = fault;
      const said = { ...(code === undefined ? {} : { code }), message: message ?? `Scripted failure ${status}` };
      return sendJson(response, status, wire.error(status, said), headers);
    }
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><html><body>Welcome</body></html>');
      return;
    case 'stall':
      return wire.send(reply, asked, response);
    case 'cut':
      await wire.send(reply, asked, response);
      exchange.breaking();
      // After what is still in its buffer.
      response.socket?.destroySoon();
      return;
    default:
      await wire.send(reply, asked, response);
      if (!response.writableEnded) response.end();
  }
}

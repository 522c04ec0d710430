import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it arrived, with its attributes as an object. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  start: number;
  end: number;
  attributes: { [name: string]: unknown };
  /** 0 unset, 1 ok, 2 error. */
  status: { code: number; message?: string };
}

/** An OTLP receiver over HTTP that takes JSON. */
export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Attributes of the sender of the last spans. */
  resource: { [name: string]: unknown };
  /** Everything that arrived, as text. */
  readonly raw: string;
  clear(): void;
  close(): Promise<void>;
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  status: { code?: number; message?: string };
}

interface OtlpAttribute {
  key: string;
  value: { [type: string]: unknown };
}

export async function listenOtlp(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url === '/v1/traces') take(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const take = (body: string) => {
    bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    for (const { resource, scopeSpans } of resourceSpans) {
      receiver.resource = objectOf(resource.attributes);
      receiver.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map(received)));
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    resource: {},
    get raw() {
      return bodies.join('\n');
    },
    clear() {
      bodies.length = 0;
      receiver.spans.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

function received({ startTimeUnixNano, endTimeUnixNano, attributes, status, ...span }: OtlpSpan): ReceivedSpan {
  return {
    ...span,
    start: Number(BigInt(startTimeUnixNano) / 1_000_000n),
    end: Number(BigInt(endTimeUnixNano) / 1_000_000n),
    attributes: objectOf(attributes),
    status: { code: status.code ?? 0, ...(status.message === undefined ? {} : { message: status.message }) },
  };
}

function objectOf(attributes: OtlpAttribute[]): { [name: string]: unknown } {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

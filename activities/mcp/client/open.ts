import { Client, isInitializeRequest, type JSONRPCMessage, SdkErrorCode } from '@modelcontextprotocol/client';
import { isHttpServer, type McpServer } from '../../../agent/define/mcp-server';
import { DEFAULT_START_TIMEOUT } from '../../../agent/limits';
import { milliseconds } from '../../../agent/values/duration';
import { canonicalJson } from '../../../agent/values/json';
import { linkedAbort } from '../../../runtime/abort/linked-abort';
import { untilAborted } from '../../../runtime/abort/until-aborted';
import type { OpenOptions, OpenServer } from '../open-server';
import { ServerFailure } from '../server-failure';
import { statusOf } from './http-problem';
import { HttpTransport } from './http-transport';
import { whenLate } from './late-answer';
import type { Link } from './link';
import { codeOf } from './sdk-errors';
import { connected } from './session';
import { SseTransport } from './sse-transport';
import { StdioTransport } from './stdio-transport';
import { beforeClient } from './traffic/before-client';
import { fewAnswers } from './traffic/few-answers';
import { fewUnasked } from './traffic/few-unasked';
import { latestProgress } from './traffic/latest-progress';
import { OpenRequests } from './traffic/open-requests';

/** Milliseconds that a server may ignore the question for its era, at most, before the old handshake is tried. */
const PATIENCE = 10_000;
/** How we introduce ourselves. */
const CLIENT = { name: 'holdfast', version: '1' };

/** How to talk to a server: whether only with the protocol of 2025 and before, and over which transport. */
interface Way {
  old: boolean;
  sse: boolean;
  /** It was silent at first and then refused the older protocol: it had only begun late. */
  again?: true;
  /** It answered the question for its era with an error that a server of 2026 may have in a bad moment. */
  unsure?: true;
}

/** Servers known not to support the newest way: they are not probed again. */
const ways = new Map<string, Way>();

/**
 * Starts a server, or connects to one, and performs the handshake.
 * @throws ServerFailure when it does not answer within `startTimeout`; the signal's reason when that aborts
 */
export async function openServer(definition: McpServer, options: OpenOptions = {}): Promise<OpenServer> {
  const key = canonicalJson(definition);
  const timeout = milliseconds(definition.startTimeout) ?? DEFAULT_START_TIMEOUT;
  const { signal: stop, unlink } = linkedAbort(AbortSignal.timeout(timeout), options.signal);

  const patience = Math.min(PATIENCE, timeout / 2);
  // A second later than our limit, which spans all attempts; the SDK's applies to each exchange of messages.
  const longest = timeout + 1000;

  const open = async (kind: Way): Promise<OpenServer> => {
    const link = fewUnasked(latestProgress(linkTo(definition, kind, { log: options.log, patience })));
    const client = new Client(CLIENT, {
      capabilities: { elicitation: { form: {}, url: {} } },
      // A person may answer after days: not within the call.
      inputRequired: { autoFulfill: false },
      // `ToolList` has limits of its own.
      listMaxPages: 0,
      // For a process, `whenLate` has the patience.
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: isHttpServer(definition) ? patience : longest } },
    });
    client.onerror = (error) => link.onProblem?.(error);
    try {
      const settings = { timeout: longest, ...(kind.old ? { prior: { kind: 'legacy' } as const } : {}) };
      await untilAborted(client.connect(link, settings), stop);
    } catch (error) {
      const late = stop.aborted ? new Error(`did not answer in ${timeout / 1000} s`) : undefined;
      const { problem, advice } = await link.explain(late ?? error);
      await link.close();
      options.signal?.throwIfAborted();
      const failure = new ServerFailure(problem, { cause: error, advice });
      const other = late === undefined ? otherWay(definition, kind, error) : undefined;
      if (other === undefined) throw failure;
      return open(other).catch((second) => {
        options.signal?.throwIfAborted();
        const wasSilent = isHttpServer(definition) && codeOf(error) === SdkErrorCode.RequestTimeout;
        if (wasSilent && !stop.aborted) return open({ ...kind, again: true });
        // For a server that does not speak SSE either, the failure of the newer transport says more.
        throw other.sse ? failure : second;
      });
    }
    const old = client.getProtocolEra() === 'legacy';
    const sure = link.answeredLate !== true && kind.unsure !== true;
    if ((old && sure) || kind.sse) ways.set(key, { old, sse: kind.sse });
    return connected(client, link, { startTimeout: timeout, definition, log: options.log });
  };

  const sse = isHttpServer(definition) && definition.transport === 'sse';
  const newest = { old: sse, sse };
  try {
    const known = ways.get(key);
    if (known === undefined || !isHttpServer(definition)) return await open(known ?? newest);
    return await open(known).catch((error) => {
      if (stop.aborted) throw error;
      // A newer server may have taken its place.
      return open(newest);
    });
  } catch (error) {
    // The same may hold for a process: it is asked again at its next start.
    ways.delete(key);
    throw error;
  } finally {
    unlink();
  }
}

function linkTo(definition: McpServer, { sse }: Way, { log, patience }: LinkOptions): Link {
  if (isHttpServer(definition)) {
    return mending(asksNobody(fewAnswers(sse ? new SseTransport(definition) : new HttpTransport(definition))));
  }
  return whenLate(asksNobody(new StdioTransport(definition, log)), { client: CLIENT, patience });
}

/** Over HTTP the SDK parses the messages: what they contain can be mended only after that. */
function mending(link: Link): Link {
  const requests = new OpenRequests();
  const send = link.send.bind(link);
  link.send = (message, options) => {
    requests.sent(message);
    return send(message, options);
  };
  return beforeClient(
    link,
    (handler) =>
      (message, ...rest) =>
        handler(requests.mend(message) as JSONRPCMessage, ...rest),
  );
}

interface LinkOptions {
  log: OpenOptions['log'];
  patience: number;
}

/**
 * Until 2026 a server asked for input during a call and kept the call open for the answer. A server that speaks only
 * that protocol cannot ask anyone, and must be told so.
 */
function asksNobody(link: Link): Link {
  const send = link.send.bind(link);
  link.send = (message, options) => {
    if (!isInitializeRequest(message)) return send(message, options);
    const { elicitation, ...capabilities } = message.params.capabilities;
    return send({ ...message, params: { ...message.params, capabilities } }, options);
  };
  return link;
}

/** The older way in which a server that failed like this may be reachable. */
function otherWay(definition: McpServer, kind: Way, error: unknown): Way | undefined {
  if (isHttpServer(definition)) {
    // It accepted the question for its era and never answered.
    if (!kind.old && !kind.again && codeOf(error) === SdkErrorCode.RequestTimeout) return { old: true, sse: false };
    const status = statusOf(error);
    // Old servers fail at a question that they do not know, or answer it with something else than JSON-RPC.
    const failed = status === 500 || status === 501 || isUnusable(error);
    if (!kind.old && !kind.again && failed) return { old: true, sse: false, unsure: true };
    const unknown =
      status !== undefined && (status === 501 || (status >= 400 && status < 500)) && !UNRELATED.has(status);
    return unknown && !kind.sse && definition.transport === undefined ? { old: true, sse: true } : undefined;
  }
  // Servers built with some old SDKs exit on any message but `initialize`.
  return !kind.old && codeOf(error) === SdkErrorCode.EraNegotiationFailed ? { old: true, sse: false } : undefined;
}

/** Whether the server did answer the question for its era, with nothing that the SDK can read. */
function isUnusable(error: unknown): boolean {
  if (codeOf(error) !== SdkErrorCode.EraNegotiationFailed) return false;
  const { cause } = error as Error;
  return (
    codeOf(cause) === SdkErrorCode.ClientHttpUnexpectedContent || (cause as Error | undefined)?.name === 'SyntaxError'
  );
}

/** Statuses that say nothing about the transport: credentials, also a proxy's, time and rate. */
const UNRELATED = new Set([401, 403, 407, 408, 429]);

import { type Client, isInputRequiredResult, ProtocolError, SdkErrorCode } from '@modelcontextprotocol/client';
import { longestCall } from '../../../agent/define/attempt-time';
import type { Log } from '../../../agent/define/context';
import { isHttpServer, type McpServer } from '../../../agent/define/mcp-server';
import type { ResumeTool } from '../../../agent/protocol/calls/tool-call';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';
import { linkedAbort } from '../../../runtime/abort/linked-abort';
import { commandLine } from '../command-line';
import type { McpCall, McpCallOptions, McpResult, OpenServer } from '../open-server';
import { shownUrl, withoutSecrets } from '../secrets';
import { ServerFailure, SessionExpired } from '../server-failure';
import { isCut } from './http-problem';
import type { Link } from './link';
import { ToolList } from './list-tools';
import { codeOf } from './sdk-errors';
import { isInvalid } from './traffic/open-requests';

/**
 * A server that left a call unanswered and does not list its tools within this many milliseconds is considered dead.
 */
const SILENT = 5000;

interface SessionOptions {
  startTimeout: number;
  definition: McpServer;
  log: Log | undefined;
}

/** A server after the handshake. */
export function connected(client: Client, link: Link, { startTimeout, definition, log }: SessionOptions): OpenServer {
  const { tools } = client.getServerCapabilities() ?? {};
  const list = new ToolList(client);
  if (tools?.listChanged === true) noteChanges(client, definition, log);
  /** One of its calls was never answered: perhaps the server is dead, perhaps the tool is slow. */
  let silent = false;
  /** It was silent again, so the next caller gets another connection. */
  let deaf = false;
  return {
    era: client.getNegotiatedProtocolVersion() ?? '',
    closed: link.gone,
    close: () => link.close(),
    get stale() {
      return link.stale || deaf;
    },
    async listTools(wanted = () => true) {
      // Without this check the SDK writes a line to our standard output.
      if (tools === undefined) return [];
      const timeout = silent ? Math.min(startTimeout, SILENT) : startTimeout;
      try {
        const tools = await list.read({ timeout, wanted });
        silent = false;
        return tools;
      } catch (error) {
        if (error instanceof ServerFailure) throw error;
        const late = codeOf(error) === SdkErrorCode.RequestTimeout;
        if (late && silent) {
          deaf = true;
          throw new SessionExpired('it no longer answers', { cause: error });
        }
        // The SDK walks the answer level by level, and the stack is finite.
        const deep = error instanceof RangeError ? new Error('its answer is nested too deep') : undefined;
        const what = late ? new Error(`no answer in ${startTimeout / 1000} s`) : (deep ?? error);
        const { problem, advice, fate, lasting } = await link.explain(what);
        if (fate === 'expired') throw new SessionExpired(problem, { cause: error, advice });
        throw new ServerFailure(`did not list its tools: ${problem}`, {
          ...{ cause: error, lasting },
          advice: lasting ? 'have it list its tools on pages, with fewer tools on each' : advice,
        });
      }
    },
    async callTool(name, args, options) {
      const call = await callTool(client, link, name, args, options);
      silent = call.kind === 'timeout';
      return call;
    },
  };
}

async function callTool(
  client: Client,
  link: Link,
  name: string,
  args: JsonObject,
  { signal, timeout, inputSchema = {}, onProgress, resume, traceparent }: McpCallOptions,
): Promise<McpCall> {
  signal?.throwIfAborted();
  if (resume !== undefined && client.getProtocolEra() !== 'modern') {
    // It would ignore the answers and start over.
    return { kind: 'refused', problem: 'it no longer speaks the version of the protocol in which it asked' };
  }
  // The SDK's own total limit for a call does not tell the server that the caller stopped waiting.
  const longest = AbortSignal.timeout(longestCall(timeout));
  const { signal: either, unlink } = linkedAbort(signal, longest);
  try {
    const result: unknown = await client.callTool(
      { name, arguments: args, ...again(resume), ...(traceparent === undefined ? {} : { _meta: { traceparent } }) },
      {
        timeout,
        resetTimeoutOnProgress: true,
        // Without it servers send no progress, and a call that reports some gets no more time.
        onprogress: (progress) => onProgress?.(progress),
        signal: either,
        allowInputRequired: true,
        // Without an output schema: the SDK discards a result that does not fit, though the tool has run.
        toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' } },
      },
    );
    if (isInputRequiredResult(result)) {
      const { inputRequests = {}, requestState: state } = result;
      return { kind: 'asks', requests: { ...inputRequests }, ...defined({ state }) };
    }
    return { kind: 'result', result: result as McpResult };
  } catch (error) {
    // The SDK reports an abort with the code of a timeout.
    signal?.throwIfAborted();
    if (longest.aborted) return { kind: 'timeout', after: longestCall(timeout) };
    return failedCall(error, link, timeout);
  } finally {
    unlink();
  }
}

/** What a resumed call carries: each answer under the server's own key, and the server's state unchanged. */
function again(resume: ResumeTool | undefined) {
  if (resume === undefined) return {};
  const { answers, state } = resume;
  const inputResponses = Object.fromEntries(answers.map(({ key, ...answer }) => [key, answer]));
  return {
    ...(answers.length === 0 ? {} : { inputResponses }),
    ...defined({ requestState: state }),
  };
}

async function failedCall(error: unknown, link: Link, timeout: number): Promise<McpCall> {
  if (error instanceof ProtocolError && !isCut(error.data) && !isInvalid(error.data))
    return { kind: 'refused', problem: error.message };
  if (codeOf(error) === SdkErrorCode.RequestTimeout) return { kind: 'timeout', after: timeout };
  const { problem, advice, fate } = await link.explain(error);
  switch (fate) {
    case 'expired':
      throw new SessionExpired(problem, { cause: error, advice });
    case 'unsent':
      return { kind: 'unsent', problem };
    case 'lost':
      return { kind: 'died', problem };
    case 'unreadable':
      return { kind: 'unreadable', problem };
  }
}

/** A run keeps the tools it started with, and each run lists them again: logging the change is all there is to do. */
function noteChanges(client: Client, definition: McpServer, log: Log | undefined): void {
  const server = isHttpServer(definition) ? shownUrl(definition) : withoutSecrets(commandLine(definition), definition);
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    log?.info({ server }, 'The tools of an MCP server have changed; runs that start from now on get them');
  });
  if (client.getProtocolEra() !== 'modern') return;
  // Since 2026 a server notifies only clients that subscribed. Its answer does not matter.
  client.listen({ toolsListChanged: true }).catch((error) => log?.debug({ server, error }, 'No news of an MCP server'));
}

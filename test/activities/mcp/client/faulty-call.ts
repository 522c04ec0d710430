import { callMcpTool, type McpCallResult } from '../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../activities/mcp/connections';
import { closeAfterTest } from '../../../close-after-test';
import { specOf } from '../servers';
import { type Fault, type FaultyServer, faultyServer } from './faulty-http-server';

interface Called {
  result: McpCallResult;
  server: FaultyServer;
}

interface CallOptions {
  /** Milliseconds. */
  timeout?: number;
  sse?: boolean;
  session?: boolean;
}

/** Calls the tool of a server that answers calls with a fault. */
export async function called(fault: Fault, { timeout = 20_000, ...options }: CallOptions = {}): Promise<Called> {
  const connections = closeAfterTest(new McpConnections());
  const server = closeAfterTest(await faultyServer(fault, options));
  const definition = { url: server.url, ...(options.sse ? { transport: 'sse' as const } : {}) };
  const spec = await specOf(connections, definition, 'do', { timeout });
  const { signal } = new AbortController();
  return { result: await callMcpTool(connections, definition, spec, {}, { signal }), server };
}

/** What the model reads, and whether the call may have taken effect. */
export type Row = [
  what: string,
  fault: Fault,
  error: { type: string; says: RegExp },
  unknown: boolean,
  timeout?: number,
];

/** Calls and checks a row; no call is repeated automatically. */
export async function expectFault([, fault, { type, says }, unknown, timeout]: Row, sse = false): Promise<void> {
  const { result, server } = await called(fault, { sse, ...(timeout === undefined ? {} : { timeout }) });
  expect(result.error).toMatchObject({ type, message: expect.stringMatching(says) });
  expect(result.error?.message).not.toMatch(/\n|Welcome/);
  expect(result.unknown ?? false).toBe(unknown);
  expect(server.calls).toBe(1);
}

export const head = { json: { 'content-type': 'application/json' }, events: { 'content-type': 'text/event-stream' } };
export const half = (text: string) => text.slice(0, text.length / 2);
export const status =
  (code: number, body = '{"error":{"message":"not now"}}', headers: object = head.json): Fault =>
  ({ response }) =>
    void response.writeHead(code, headers as never).end(body);

const lost = (says: RegExp) => ({ type: 'McpServerFailed', says });
const late = { type: 'ToolTimedOut', says: /^`s_do` did not answer within 0\.3 s\.$/ };

/** No answer comes in time. */
export const silent = (what: string, fault: Fault): Row => [what, fault, late, true, 300];
/** The server fails, and may have done its work. */
export const broken = (what: string, fault: Fault, says: RegExp): Row => [what, fault, lost(says), true];
/** The server rejects the request before it looks at the call. */
export const refused = (code: number, says = ''): Row => [
  `HTTP ${code}`,
  status(code),
  lost(new RegExp(`did not reach the MCP server \`s\`: HTTP ${code}${says}`)),
  false,
];

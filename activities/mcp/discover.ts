import type { Log } from '../../agent/define/context';
import { isHttpServer, type McpServer } from '../../agent/define/mcp-server';
import { HoldfastError } from '../../agent/errors/error';
import { DEFAULT_START_TIMEOUT, DEFAULT_TOOL_TIMEOUT } from '../../agent/limits';
import type { Effect, JsonSchema, UnnamedTool } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { milliseconds } from '../../agent/values/duration';
import type { JsonObject } from '../../agent/values/json';
import { usableThirdParty } from '../schemas/third-party';
import { isMeant } from './chosen-tools';
import { commandLine } from './command-line';
import type { McpConnections } from './connections';
import type { McpTool } from './open-server';
import { shownUrl, withoutSecrets } from './secrets';
import { ServerFailure } from './server-failure';

export type McpToolSpec = Extract<UnnamedTool, { kind: 'mcp' }>;

/**
 * The tools of a server as an agent's manifest holds them, sorted by name so that equal servers give equal manifests.
 * @throws HoldfastError `McpServerFailed`; the signal's reason when that aborts
 */
export async function discoverTools(
  connections: McpConnections,
  server: string,
  definition: McpServer,
  signal?: AbortSignal,
): Promise<McpToolSpec[]> {
  try {
    const { tools: chosen } = definition;
    const wanted = chosen && ((name: string) => chosen.some((one) => isMeant(one, name)));
    const tools = await connections.use(definition, (open) => open.listTools(wanted), signal);
    for (const one of chosen ?? []) {
      // The server may have renamed it.
      const isThere = tools.some(({ name }) => isMeant(one, name));
      if (!isThere) connections.log?.warn({ server, tool: one }, 'An MCP server has no tool that its `tools` names.');
    }
    // If several tools have the same name, the server itself reaches only one.
    const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]));
    const specs: McpToolSpec[] = [];
    for (const tool of byName.values()) {
      specs.push(await withUsableSchemas(toolSpec(server, definition, tool), connections.log));
    }
    return specs.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw error instanceof ServerFailure ? serverFailed(server, definition, error) : error;
  }
}

/** The failure with the names that the user knows. */
export function serverFailed(server: string, definition: McpServer, failure: ServerFailure): HoldfastError {
  const { problem, advice } = failure;
  const where = isHttpServer(definition)
    ? { url: withoutSecrets(shownUrl(definition), definition) }
    : { command: withoutSecrets(commandLine(definition), definition) };
  const data = { server, ...where, problem, ...defined({ advice }) };
  return new HoldfastError('McpServerFailed', data, { cause: failure });
}

function toolSpec(server: string, definition: McpServer, tool: McpTool): McpToolSpec {
  return {
    name: `${server}.${tool.name}`,
    kind: 'mcp',
    description: tool.description ?? tool.title ?? '',
    inputSchema: tool.inputSchema as JsonSchema,
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema as JsonSchema }),
    effect: effectOf(tool.annotations, definition.trusted === true),
    priority: 0,
    timeout: milliseconds(definition.timeout) ?? DEFAULT_TOOL_TIMEOUT,
    attempts: 1,
    placement: 'activity',
    cancellation: 'wait',
    ...(definition.execution === 'serial' ? { serial: 'server' as const } : {}),
    mcp: { server, tool: tool.name, startTimeout: milliseconds(definition.startTimeout) ?? DEFAULT_START_TIMEOUT },
    ...(needsPerson(tool.annotations, definition) ? { approval: { asks: false, onExpire: 'deny' } } : {}),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations as JsonObject }),
  };
}

/** Replaces an oversized schema by one that accepts everything; logs what cannot be checked of the others. */
async function withUsableSchemas({ outputSchema, ...spec }: McpToolSpec, log: Log | undefined): Promise<McpToolSpec> {
  const usable = async (given: JsonSchema, name: string): Promise<JsonSchema | undefined> => {
    const { schema, problems } = await usableThirdParty(given);
    for (const { path, problem } of problems) {
      const about = { tool: spec.name, schema: `${name}${path}`, problem };
      log?.warn(about, 'A schema of a tool cannot be used; what it describes is not checked.');
    }
    return schema;
  };
  const output = outputSchema && (await usable(outputSchema, 'outputSchema'));
  return {
    ...spec,
    inputSchema: (await usable(spec.inputSchema, 'inputSchema')) ?? { type: 'object' },
    ...defined({ outputSchema: output }),
  };
}

/** Hints only loosen, since a tool without any is `once`: they count only if the operator trusts the server. */
function effectOf(hints: McpTool['annotations'], trusted: boolean): Effect {
  const { readOnlyHint, idempotentHint } = (hints ?? {}) as { readOnlyHint?: unknown; idempotentHint?: unknown };
  if (!trusted) return 'once';
  if (readOnlyHint === true) return 'read';
  return idempotentHint === true ? 'idempotent' : 'once';
}

/**
 * A hint that tightens counts for any server and overrides one that loosens; loosening counts only if the operator
 * trusts it.
 */
function needsPerson(hints: McpTool['annotations'], { approval = 'never', trusted }: McpServer): boolean {
  if (approval !== 'hints') return approval === 'always';
  const { readOnlyHint, destructiveHint } = (hints ?? {}) as { readOnlyHint?: unknown; destructiveHint?: unknown };
  if (trusted !== true || destructiveHint === true) return true;
  return readOnlyHint !== true && destructiveHint !== false;
}

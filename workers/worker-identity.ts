import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Agent } from '../agent/define/agent-definition';

/** Hexadecimal digits of the hash: it only distinguishes two lists of agents on one queue. */
const DIGITS = 8;
const IDENTITY = new RegExp(`^(\\d+)@(.*)/([0-9a-f]{${DIGITS}})$`);

/** The identity is all that the server knows about a worker. */
export interface WorkerIdentity {
  pid: number;
  host: string;
  /** Hash of the names of its agents and their tools, see {@link agentsHash}. */
  agents: string;
}

/** The identity of a worker of this process: Temporal's default form, followed by a hash of its agents. */
export function identityOf(agents: readonly Agent[]): string {
  return `${process.pid}@${hostname()}/${agentsHash(agents)}`;
}

/** The parts of an identity; `undefined` for a worker that is not Holdfast's, or of an older version. */
export function parseIdentity(identity: string): WorkerIdentity | undefined {
  const [, pid, host, agents] = IDENTITY.exec(identity) ?? [];
  return agents === undefined || host === undefined ? undefined : { pid: Number(pid), host, agents };
}

/** Hash of the names of agents, their tools, services and MCP servers, in any order. */
export function agentsHash(agents: readonly Agent[]): string {
  const named = agents.map(({ name, definition }) => {
    const { tools = {}, services = {}, mcp = {}, files } = definition;
    const of = (what: string, given: object) => Object.keys(given).map((key) => `${what} ${key}`);
    return [
      name,
      [...of('tool', tools), ...of('service', services), ...of('mcp', mcp), ...(files ? ['files'] : [])].sort(),
    ];
  });
  const text = JSON.stringify(named.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}

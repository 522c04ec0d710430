import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Agent } from '../agent/define/agent-definition';

/** Hexadecimal digits of the hash: two lists of agents on one queue are told apart by them, nothing more rests on it. */
const DIGITS = 8;
const IDENTITY = new RegExp(`^(\\d+)@(.*)/([0-9a-f]{${DIGITS}})$`);

/** What the server says of a worker is its identity alone. */
export interface WorkerIdentity {
  pid: number;
  host: string;
  /** Of the names of its agents and their tools, see {@link agentsHash}. */
  agents: string;
}

/** The identity of a worker of this process: Temporal's default form, and what tells workers with other agents apart. */
export function identityOf(agents: readonly Agent[]): string {
  return `${process.pid}@${hostname()}/${agentsHash(agents)}`;
}

/** The parts of an identity; `undefined` of a worker that is not Holdfast's, or of an older version. */
export function parseIdentity(identity: string): WorkerIdentity | undefined {
  const [, pid, host, agents] = IDENTITY.exec(identity) ?? [];
  return agents === undefined || host === undefined ? undefined : { pid: Number(pid), host, agents };
}

/** Of the names of agents, of their tools, services and MCP servers, in whatever order they were given. */
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

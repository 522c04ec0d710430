import { createHash, randomBytes } from 'node:crypto';
import { HoldfastError } from '../../../agent/errors/error';
import { defined } from '../../../agent/values/defined';
import type { AgentClient } from '../../agent-client';
import { orHoldfastError } from '../../requests/client-error';
import { soon } from '../../requests/soon';
import { ConversationHandle } from '../../runs/conversation-handle';
import { problemOf } from '../../silence/run-problem';
import { has, LOCAL_TENANT, ownerOf, type Principal, type Scope } from '../auth/principal';
import { RequestRefused } from '../failure';
import { RunIdentities, type RunIdentity } from './identity';

/** Hexadecimal digits of the hash in an id: two keys with one hash cannot be found. */
const DIGITS = 32;

/** Which runs a caller may see, and the ids of those that it starts. */
export class Access {
  readonly #identities: RunIdentities;

  /** @param heartbeatInterval milliseconds between heartbeats of the workers. Default 1,000 */
  constructor(
    readonly client: AgentClient,
    private readonly workerTimeout: number,
    private readonly heartbeatInterval?: number | undefined,
  ) {
    this.#identities = new RunIdentities(client.temporal, workerTimeout);
  }

  /**
   * A run for a caller who may see it. Another user's run is answered as one that does not exist.
   * @param commandId names the one command that is sent with the handle
   * @throws HoldfastError `RunNotFound`, `NoServer`
   */
  async open(principal: Principal, id: string, commandId?: string): Promise<OpenRun> {
    const { agent, owner } = await this.#identities.of(id);
    if (!maySee(principal, owner)) throw new HoldfastError('RunNotFound', { id });
    return { id, agent, ...defined({ owner }), handle: this.handle(id, commandId) };
  }

  /** Whether a run goes on. It needs no worker. */
  async isOpen(id: string): Promise<boolean> {
    try {
      const { status } = await soon(this.client.temporal, () => this.client.temporal.workflow.getHandle(id).describe());
      return status.name === 'RUNNING';
    } catch (error) {
      throw orHoldfastError(error, id);
    }
  }

  /** Why nothing happens in a run that goes on, if it is known. It needs no worker. */
  async problemOf(id: string): Promise<string | undefined> {
    try {
      return await problemOf(this.client.temporal, id, this.heartbeatInterval);
    } catch (error) {
      throw orHoldfastError(error, id);
    }
  }

  /** A run that the caller has just started. */
  handle(id: string, commandId?: string): ConversationHandle<never> {
    const { bus } = this.client;
    const { workerTimeout } = this;
    // A stream goes on when a worker is back.
    const options = { workerTimeout, followsOn: true, ...defined({ bus, commandId }) };
    return new ConversationHandle<never>(this.client.temporal, id, options);
  }

  /**
   * Those of a list that the caller may see, by what the runs say themselves: the server's lists go by attributes,
   * which others may have written.
   */
  async visible<T extends { id: string }>(principal: Principal, listed: readonly T[]): Promise<T[]> {
    if (principal.tenant === undefined) return [...listed];
    const left = listed.entries();
    const seen: (T | undefined)[] = [];
    const check = async () => {
      for (const [i, one] of left) {
        const owner = await this.#identities.of(one.id).catch(unlessGone);
        if (owner !== undefined && maySee(principal, owner.owner)) seen[i] = one;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, check));
    return seen.filter((one) => one !== undefined);
  }

  /** An id can be given again after its run was deleted. */
  forget(id: string): void {
    this.#identities.forget(id);
  }
}

/** Identities that are read at once for a list. */
const AT_ONCE = 20;

/** A run may end, and be deleted, while a list is made. */
function unlessGone(error: unknown): undefined {
  if (error instanceof HoldfastError && error.type === 'RunNotFound') return undefined;
  throw error;
}

/** A run that its caller may see. */
export interface OpenRun extends RunIdentity {
  id: string;
  handle: ConversationHandle<never>;
}

/** Whether a caller sees the runs of an owner. */
export function maySee(principal: Principal, owner: string | undefined): boolean {
  const { tenant } = principal;
  if (tenant === undefined) return true;
  if (owner === ownerOf(principal)) return true;
  return has(principal, 'admin') && owner?.startsWith(`${tenant}:`) === true;
}

/** @throws RequestRefused 403 */
export function demand(principal: Principal, scope: Scope): void {
  if (has(principal, scope)) return;
  throw new RequestRefused(403, 'MissingScope', `This needs the scope \`${scope}\`.`);
}

/** Whose runs a list has for the caller. */
export function ownersSeenBy(principal: Principal): { owner?: string; ownerPrefix?: string } {
  const { tenant } = principal;
  if (tenant === undefined) return {};
  return has(principal, 'admin') ? { ownerPrefix: `${tenant}:` } : { owner: ownerOf(principal) };
}

/** The id of a run that a caller starts: always the same for the same words, another one without any. */
export function runIdOf({ tenant = LOCAL_TENANT, user }: Principal, ...words: string[]): string {
  const name = words.length === 0 ? randomBytes(DIGITS / 2).toString('hex') : hashOf([tenant, user, ...words]);
  return `${tenant}:${name}`;
}

/** The id of a command, from the key that its caller gave. Callers cannot meet each other's. */
export function commandIdOf({ tenant = LOCAL_TENANT, user }: Principal, ...words: string[]): string {
  return hashOf([tenant, user, ...words]);
}

function hashOf(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, DIGITS);
}

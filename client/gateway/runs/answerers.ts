import type { Client } from '@temporalio/client';
import { contractType } from '../../../agent/contracts/contract';
import { toolApproval } from '../../../agent/contracts/human-contracts';
import type { Agent } from '../../../agent/define/agent-definition';
import { keyOf } from '../../../agent/protocol/calls/idempotency-key';
import type { PendingService } from '../../../agent/protocol/calls/pending-service';
import type { GivenEvent } from '../../../agent/protocol/event';
import type { Manifest } from '../../../agent/protocol/manifest';
import { type Pending, QUERY } from '../../../agent/protocol/queries';
import type { RunState } from '../../../agent/state/run-state';
import type { GatewayWebhook } from '../../../runtime/config/gateway';
import { patientQuery } from '../../requests/patient-query';
import { has, type Principal } from '../auth/principal';
import { RequestRefused } from '../failure';

/** Arguments have no such hash. */
const NO_ARGUMENTS = '0'.repeat(32);

/** Services that webhooks name and none of the agents has, such as misspelled ones, by webhook. */
export function unknownServices(
  webhooks: Readonly<Record<string, GatewayWebhook>>,
  agents: readonly Agent[],
): { webhook: string; services: string[] }[] {
  const known = new Set(
    agents.flatMap(({ definition }) => Object.values(definition.services ?? {}).map(({ contract }) => contract.type)),
  );
  return Object.entries(webhooks).flatMap(([webhook, { services = [] }]) => {
    const unknown = services.filter((type) => !known.has(typeOf(type)));
    return unknown.length === 0 ? [] : [{ webhook, services: unknown }];
  });
}

/** The configuration may leave out the prefix. */
function typeOf(service: string): string {
  return contractType(service) ?? service;
}

/** A call of a run, by its id and, if it is known, by its key: another call may have had the same id. */
interface NamedCall {
  toolUseId: string;
  ref?: string | undefined;
}

function calledBy({ parentid = '' }: GivenEvent): NamedCall {
  return { toolUseId: parentid.slice(parentid.lastIndexOf('/') + 1), ref: parentid };
}

/**
 * Who may answer which services. A back-end service is answered by its webhook, or with the scope `decide`: with
 * `message` alone, users could answer in its name what their own runs ask it.
 */
export class Answerers {
  /** Signal services that users do not answer: those of webhooks, and the one whose answers are decisions. */
  readonly #reserved: ReadonlySet<string>;
  readonly #servicesOf: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    private readonly client: Client,
    private readonly workerTimeout: number,
    webhooks: Readonly<Record<string, GatewayWebhook>>,
  ) {
    this.#servicesOf = new Map(
      Object.entries(webhooks).flatMap(([name, { services }]) =>
        services === undefined ? [] : [[name, new Set(services.map(typeOf))]],
      ),
    );
    this.#reserved = new Set([toolApproval.type, ...[...this.#servicesOf.values()].flatMap((types) => [...types])]);
  }

  /**
   * The key under which an answer of a caller is passed on. Missing: the one that it has.
   * @throws RequestRefused 403; HoldfastError `NoWorker`
   */
  async keyFor(principal: Principal, id: string, call: NamedCall): Promise<string | undefined> {
    if (has(principal, 'decide')) return undefined;
    return this.#keyOf(id, call, (service) => this.demand(principal, service));
  }

  /** The same for an event: a key is its `parentid`. */
  async keyForEvent(principal: Principal, event: GivenEvent): Promise<string | undefined> {
    return this.keyFor(principal, event.subject, calledBy(event));
  }

  /** The same for an event of a webhook. */
  async keyForWebhook(name: string, event: GivenEvent): Promise<string | undefined> {
    const services = this.#servicesOf.get(name);
    if (services === undefined) return undefined;
    return this.#keyOf(event.subject, calledBy(event), async (service) => {
      const type = await this.#contractOf(service);
      if (type !== undefined && services.has(type)) return;
      const message = `The webhook \`${name}\` does not answer the service \`${type ?? service.tool}\`.`;
      throw new RequestRefused(403, 'OtherService', message);
    });
  }

  /**
   * Whether a caller may answer a call that waits.
   * @throws RequestRefused 403; HoldfastError `NoWorker`
   */
  async demand(principal: Principal, service: PendingService): Promise<void> {
    if (has(principal, 'decide')) return;
    if (service.kind === 'signal' && !(await this.#isReserved(service))) return;
    const message = `The service \`${service.tool}\` is not answered by users of its run: this needs the scope \`decide\`.`;
    throw new RequestRefused(403, 'MissingScope', message);
  }

  /**
   * The key of the call that waits. If none does, it is a key that no call has: the run counts the answer, and cannot
   * take it for a call that begins while the answer is on its way.
   */
  async #keyOf(
    id: string,
    { toolUseId, ref }: NamedCall,
    check: (service: PendingService) => Promise<void>,
  ): Promise<string> {
    const { services } = await this.#ask<Pending>(id, QUERY.pending);
    const waiting = services.find((one) => one.toolUseId === toolUseId && (ref === undefined || one.ref === ref));
    if (waiting !== undefined) {
      await check(waiting);
      return waiting.ref;
    }
    const { chainId } = await this.#ask<RunState>(id, QUERY.state);
    return keyOf({ chainId }, { toolUseId, hash: NO_ARGUMENTS });
  }

  async #isReserved(service: PendingService): Promise<boolean> {
    const type = await this.#contractOf(service);
    return type === undefined || this.#reserved.has(type);
  }

  /** Type of the contract that a call waits for. */
  async #contractOf({ id, tool }: PendingService): Promise<string | undefined> {
    const manifest = await this.#ask<Manifest | null>(id, QUERY.pinned, 'manifest');
    const found = manifest?.tools.find(({ name }) => name === tool);
    return found?.kind === 'service' ? found.service.contract.accepts : undefined;
  }

  #ask<Answer>(id: string, query: string, argument?: unknown): Promise<Answer> {
    return patientQuery<Answer>(this.client, id, query, { argument, workerTimeout: this.workerTimeout });
  }
}

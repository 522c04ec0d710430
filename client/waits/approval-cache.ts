import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { GrantsToRevoke, OwnedGrant } from '../../agent/approvals/approval';
import { HoldfastError } from '../../agent/errors/error';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { findBook } from '../../runtime/grants/find-book';
import { orHoldfastError } from '../requests/client-error';
import { patientQuery } from '../requests/patient-query';
import { patientUpdate } from '../requests/patient-update';

/** The decisions on the calls of one agent that are remembered for all its runs. */
export class ApprovalCache {
  constructor(
    private readonly client: Client,
    /** Name of the agent. */
    readonly agent: string,
    private readonly options: { workerTimeout?: number | undefined } = {},
  ) {}

  /**
   * Returns all of them, the oldest first, at most 10,000. The list is empty if nothing was remembered.
   * @throws HoldfastError `NoWorker`, `NoServer`
   */
  async list(): Promise<OwnedGrant[]> {
    const id = APPROVALS.idOf(this.agent);
    try {
      // A cache workflow that was ended still answers queries, but its decisions no longer hold.
      if ((await findBook(this.client, this.agent)) === undefined) return [];
      return await patientQuery<OwnedGrant[]>(this.client, id, APPROVALS.list, this.options);
    } catch (error) {
      const known = orHoldfastError(error, id);
      if (known instanceof HoldfastError && known.type === 'RunNotFound') return [];
      throw known;
    }
  }

  /**
   * Forgets decisions, so that a person is asked again. Calls that already run are not stopped. Returns their number.
   * @throws HoldfastError `InvalidDecision` if `tool` is missing, `NoWorker`, `NoServer`
   */
  async revoke(which: GrantsToRevoke): Promise<number> {
    const id = APPROVALS.idOf(this.agent);
    try {
      if ((await findBook(this.client, this.agent)) === undefined) return 0;
      return await patientUpdate<number>(this.client, id, APPROVALS.revoke, { payload: which, ...this.options });
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 0;
      throw orHoldfastError(error, id);
    }
  }
}

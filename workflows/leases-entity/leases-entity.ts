import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { leaseProblem } from '../../agent/leases/lease-messages';
import { Ledger, type LedgerState } from '../../agent/leases/ledger';
import type { ModelLimits } from '../../agent/leases/model-limits';
import type { AskedWith } from '../../agent/leases/smallest-limits';
import { LEASES, type LeaseGrant, type LeaseRequest } from '../../agent/protocol/entities/leases';
import { isJsonObject } from '../../agent/values/json';
import { failureOf } from '../run/failures';
import { showPage } from '../view/live-page';
import { Line } from './line';

/** What one run of the workflow passes to the next. The first run starts without it. */
interface LeasesInput {
  limits: ModelLimits;
  ledger: LedgerState;
  /** Missing from runs of earlier versions. */
  asked?: AskedWith;
  /** Of the runs that it goes on from, the latest last. Missing from runs of earlier versions. */
  ids?: string[];
}

/**
 * Updates after which a new run begins. The server refuses the 2,001st, and with ten events each the history stays well
 * below the 51,200 at which it ends a run.
 */
const MAX_UPDATES = 1000;
/** Runs of which the ids are kept: a worker with a long call may not have asked the last ones. */
const MOST_IDS = 10;
/** Marks histories in which people and tasks share the turns. Those of earlier versions are replayed as they went. */
const SHARED_TURNS = 'shared-turns';
/** Marks histories in which a call that is cancelled leaves the line at once, and workers tell what they have used. */
const LEAVES = 'leaves-line';

/**
 * Leases the calls of a model with limits to the workers of a namespace. A lease is asked for by an update, which waits
 * in line with those of other workers. The workflow ends when the model is not called for some time; the next call starts it.
 */
export async function leases(given?: LeasesInput): Promise<void> {
  const carried = isJsonObject(given) ? (given as unknown as LeasesInput) : undefined;
  const ledger = new Ledger(carried?.limits ?? {}, carried?.ledger, !patched(SHARED_TURNS));
  // A run that was reset has another id than the one that the workers know, and less knowledge.
  const ids = [...(carried?.ids ?? []), workflowInfo().runId].slice(-MOST_IDS);
  const line = new Line(ledger, { ids, isEarlier: !patched(LEAVES) }, carried?.asked);
  let updates = 0;
  setHandler(
    defineUpdate<LeaseGrant, [LeaseRequest]>(LEASES.lease),
    (asked) => {
      updates++;
      return line.lease(asked);
    },
    {
      validator(asked) {
        const problem = leaseProblem(asked);
        if (problem !== undefined) throw failureOf(new HoldfastError('InvalidMessage', { problem }));
      },
    },
  );
  setHandler(defineQuery(LEASES.usage), () => line.usage());
  showPage(() => line.page(workflowInfo().workflowId.slice(LEASES.idOf('').length)));

  const isFull = () => updates >= MAX_UPDATES;
  while (!isFull()) if (!(await line.next(isFull))) return;
  line.close();
  await condition(allHandlersFinished);
  await continueAsNew<typeof leases>({
    limits: ledger.limits,
    ledger: ledger.state(Date.now()),
    asked: line.asked,
    ids,
  });
}

import type { InjectedSinks } from '@temporalio/worker';
import { LRUCache } from 'lru-cache';
import type { Fact } from '../agent/protocol/facts/fact';
import { parseTraceparent } from '../agent/protocol/trace';
import { defined } from '../agent/values/defined';
import type { Tracing } from '../runtime/telemetry/make-spans';
import { runSpanRecord } from '../runtime/telemetry/run-span-record';
import type { ObserverSinks } from '../workflows/view/observer';
import type { Listener } from './listeners';

/** Facts that a worker remembers: a workflow task that fails is run again, and reports the same facts again. */
const REMEMBERED = 10_000;

/** Receives what runs report: facts for the agent's listener, spans for the trace. */
export function observerSinks(listener: Listener, tracing: Tracing | undefined): InjectedSinks<ObserverSinks> {
  const heard = new LRUCache<string, true>({ max: REMEMBERED });
  const isNew = (runId: string, fact: Fact) => {
    const key = [runId, fact.seq, fact.type, 'toolUseId' in fact ? fact.toolUseId : ''].join('/');
    if (heard.has(key)) return false;
    heard.set(key, true);
    return true;
  };
  return {
    holdfast: {
      observe: {
        callDuringReplay: false,
        // It returns no promise: Temporal holds the workflow task until a sink has ended.
        fn({ workflowId: id, workflowType: agent, runId }, { traceparent, delegatedBy, facts, spans }) {
          const about = { subject: id, agent, ...defined({ delegatedBy }) };
          for (const fact of facts) if (isNew(runId, fact)) listener(fact, about);
          const run = parseTraceparent(traceparent);
          if (run === undefined || tracing === undefined) return;
          for (const span of spans) tracing.record(runSpanRecord(run, { id, agent }, span));
        },
      },
    },
  };
}

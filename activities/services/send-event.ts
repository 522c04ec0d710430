import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Log } from '../../agent/define/context';
import { type FunctionOutlet, isWebhook, type Outlet } from '../../agent/define/outlet';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { SendEventInput } from '../../agent/protocol/activities';
import type { ServiceEvent } from '../../agent/protocol/event';
import { activityFailure } from '../failures/activity-failure';
import { interruptible } from '../heartbeat';
import type { LoopWatch } from '../loop-watch';
import { NotSent } from './not-sent';
import { sendSignal } from './send-signal';
import { sendWebhook } from './send-webhook';

export interface SendEventDeps {
  /** By the names that services and `replies` use for them. */
  outlets: Readonly<Record<string, Outlet>>;
  log: Log;
  watch: LoopWatch;
}

/** Within these, a minute in total, a rolling deploy has brought a worker that has the outlet. */
const ATTEMPTS_FOR_A_DEPLOY = 7;

/** Characters of a thrown error's text that are kept: some libraries put whole documents into it. */
const MAX_PROBLEM = 500;

/**
 * The activity `holdfast.sendEvent`. An event may be sent more than once, always with the same id: the receiver must
 * recognise duplicates by it.
 */
export function createSendEvent({ outlets, log, watch }: SendEventDeps) {
  return ({ outlet: name, event }: SendEventInput): Promise<void> =>
    interruptible(async (signal) => {
      const outlet = Object.hasOwn(outlets, name) ? outlets[name] : undefined;
      if (outlet === undefined) {
        // In a rolling deploy another worker may have it already.
        const retry = Context.current().info.attempt < ATTEMPTS_FOR_A_DEPLOY;
        throw activityFailure(new HoldfastError('UnknownOutlet', { outlet: name, known: Object.keys(outlets) }), {
          retry,
        });
      }
      try {
        if (typeof outlet === 'function')
          await watch.run({ run: event.subject, tool: `outlet ${name}` }, () =>
            callFunction(outlet, event, { signal, log }),
          );
        else if (isWebhook(outlet)) await sendWebhook(outlet, event, signal);
        else await sendSignal(outlet, event, signal);
      } catch (error) {
        if (!(error instanceof NotSent)) throw error;
        throw activityFailure(new HoldfastError('OutletFailed', { outlet: name, problem: error.problem }), error);
      }
    });
}

async function callFunction(outlet: FunctionOutlet, event: ServiceEvent, parts: { signal: AbortSignal; log: Log }) {
  try {
    await outlet(event, { ...parts, idempotencyKey: event.id });
  } catch (error) {
    const final = error instanceof ApplicationFailure && error.nonRetryable === true;
    throw new NotSent(messageOf(error).slice(0, MAX_PROBLEM), { retry: !final });
  }
}

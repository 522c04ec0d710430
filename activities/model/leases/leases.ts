import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Log } from '../../../agent/define/context';
import { type ErrorType, HoldfastError } from '../../../agent/errors/error';
import type { Want } from '../../../agent/leases/want';
import { MODEL_ATTEMPTS } from '../../../agent/limits';
import type { ModelAnswer } from '../../../agent/model/answer';
import type { ModelConfig } from '../../../agent/model/config';
import { linkedAbort } from '../../../runtime/abort/linked-abort';
import type { Attempt } from '../attempt';
import type { CallRecord } from '../call-record';
import { askedOf } from '../failures/model-failure';
import { estimatedPrompt } from '../usage/estimate';
import { Gate, type Lease, LineIsFull } from './gate';
import { ProviderAsksToWait } from './line';

/** A request that is about to be made. */
export interface LeasedRequest {
  alias: string;
  config: ModelConfig;
  attempt: Pick<Attempt, 'began' | 'signal'> & { record: Pick<CallRecord, 'waitInLine'> };
  /** A person waits for the answer. */
  interactive: boolean;
  /** A person asked for it: it is made although the provider asked for a wait. */
  isAsked?: boolean;
  /** Throws if the request would not be made: it then takes no lease. */
  check(): void;
  /** What is sent, for an estimate of its tokens. */
  sent(): Parameters<typeof estimatedPrompt>[0];
}

/** The leases of one worker. */
export interface Leases {
  /** Makes one request as soon as the limits of its model allow it. */
  during<Answer extends ModelAnswer>(about: LeasedRequest, call: () => Promise<Answer>): Promise<Answer>;
  /** Ends its questions, and asks no more. */
  close(): Promise<void>;
}

/** Share of an attempt's time in which its requests may wait in line. */
const WAITING = 0.5;
/** Tokens of an answer of which no maximum is known. */
const ANSWER = 1000;

/** Leases for the calls of one worker. A model without limits costs nothing. */
export function createLeases(log: Log): Leases {
  const gates = new Map<string, Gate>();
  const during: Leases['during'] = async (
    { alias, config, attempt: { began, record, signal }, interactive, isAsked = false, check, sent },
    call,
  ) => {
    const { name = alias, ...limits } = config.limits ?? {};
    if (Object.keys(limits).length === 0) return call();
    check();
    // Aliases whose limits have one name may have different ones: then the smallest hold, as those of other workers.
    const gate = gates.get(alias) ?? new Gate(alias, limits, log, name);
    gates.set(alias, gate);
    const { client, info } = Context.current();
    const expected = limits.tokensPerMinute === undefined ? 0 : estimatedPrompt(sent()) + (config.maxTokens ?? ANSWER);
    if (limits.tokensPerMinute !== undefined && expected > limits.tokensPerMinute) gate.tellLarge(expected);
    const term = info.startToCloseTimeoutMs;
    // Over all attempts. The clocks of this worker and of the server may differ: neither is set against the other.
    const before = info.currentAttemptScheduledTimestampMs - info.scheduledTimestampMs;
    const waited = Math.max(0, before + Date.now() - began);
    const stop = linkedAbort(signal);
    const patience = Math.max(0, term * WAITING - (Date.now() - began));
    const timer = setTimeout(() => stop.abort(heldUp(config, patience)), patience);
    const want: Omit<Want, 'id'> = {
      interactive,
      tokens: expected,
      term,
      waited,
      attempt: {
        of: `${info.workflowExecution?.runId}/${info.activityId}`,
        began: info.currentAttemptScheduledTimestampMs,
      },
      ...(isAsked ? { despiteBlock: true } : {}),
    };
    const lease = await record
      .waitInLine(alias, gate.enter(client, want, stop.signal))
      .catch((error: unknown) => {
        if (error instanceof ProviderAsksToWait) throw askedToWait(config, error.wait);
        if (!(error instanceof LineIsFull)) throw error;
        throw info.attempt < MOST_RETURNS ? comeBack(config) : heldUp(config, waited, true);
      })
      .finally(() => {
        clearTimeout(timer);
        stop.unlink();
      });
    return settling(lease, call, isAsked);
  };
  return {
    during,
    async close() {
      await Promise.all([...gates.values()].map((gate) => gate.close()));
    },
  };
}

/** Makes the call, and ends its lease however it ends. */
async function settling<Answer extends ModelAnswer>(
  lease: Lease,
  call: () => Promise<Answer>,
  isAsked: boolean,
): Promise<Answer> {
  try {
    const answer = await call();
    const tokens = answer.usage.prompt + answer.usage.completion;
    lease.settle({ tokens, ...(isAsked ? { endsBlock: true } : {}) });
    return answer;
  } catch (error) {
    const asked = error instanceof ApplicationFailure && error.type === LIMITED ? error.nextRetryDelay : undefined;
    lease.settle(typeof asked === 'number' ? { retryAfter: asked } : {});
    throw error;
  }
}

const LIMITED: ErrorType = 'ModelRateLimited';

/** Milliseconds after which a call comes back that finds the line full: from the first to the sum of both. */
const COME_BACK = [5000, 5000] as const;

/** Attempts after which the run waits without an activity: a call has a limited number of them, also for outages. */
const MOST_RETURNS = MODEL_ATTEMPTS / 2;

/** Another attempt, which does not count as an outage: the run waits without a place on a worker. */
function comeBack({ model }: ModelConfig): ApplicationFailure {
  const [least, spread] = COME_BACK;
  return ApplicationFailure.create({
    type: 'WaitsInLine',
    message: `Other calls wait for \`${model}\` already, whose \`limits\` hold for all workers.`,
    nextRetryDelay: least + Math.random() * spread,
  });
}

/** The limits left no room for too long. The run then waits as for a server that limits the rate. */
function heldUp(config: ModelConfig, waited: number, nonRetryable = false): ApplicationFailure {
  const problem = `its \`limits\` for all workers left no room for ${Math.round(waited / 1000)} s`;
  return limited(config, problem, { nonRetryable });
}

/** The provider asked another call, perhaps of another worker, to wait: as if it had asked this one. */
function askedToWait(config: ModelConfig, wait: number): ApplicationFailure {
  const problem = `it asked all calls to wait: ${Math.ceil(wait / 1000)} s are left`;
  return limited(config, problem, { nextRetryDelay: wait });
}

function limited(
  config: ModelConfig,
  problem: string,
  how: { nonRetryable: boolean } | { nextRetryDelay: number },
): ApplicationFailure {
  const data = { ...askedOf(config), problem };
  const { type, message } = new HoldfastError(LIMITED, data);
  return ApplicationFailure.create({ type, message, details: [data], ...how });
}

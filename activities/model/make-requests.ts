import type { ModelAnswer } from '../../agent/model/answer';
import type { ModelConfig } from '../../agent/model/config';
import { defined } from '../../agent/values/defined';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import type { StreamAnswerArgs } from './answer/stream-answer';
import type { Attempt } from './attempt';
import type { CircuitBreaker } from './circuit/breaker';
import type { LeasedRequest, Leases } from './leases/leases';
import { type AskOnTermsArgs, askOnTerms } from './output/ask-on-terms';
import { type TracedCall, traceCall } from './trace-call';

export interface RequestDeps {
  tracing?: Tracing | undefined;
  leases: Pick<Leases, 'during'>;
  /** Lets no call through to a model that did not answer the last ones. */
  breaker: CircuitBreaker;
}

/** A model that is asked for an answer. */
interface Asked
  extends Pick<LeasedRequest, 'alias' | 'interactive' | 'isAsked' | 'sent'>,
    Pick<AskOnTermsArgs, 'output' | 'structuredOutput'> {
  config: ModelConfig;
  attempt: Attempt;
  /** What spans say of it. */
  traced: Omit<TracedCall, 'config' | 'request'>;
}

/** How one request is made. */
export interface Way
  extends Pick<StreamAnswerArgs, 'config' | 'terms' | 'headers' | 'signal' | 'onRequest' | 'onStart'> {
  /** To be called when the answer has begun. */
  answers(): void;
}

/**
 * Makes the requests of which an attempt consists: one, and others in place of those that the server refuses. Each waits for a
 * lease of its own, has a span that begins with the lease, and is made only if the circuit of the model lets it through.
 */
export function makeRequests<Answer extends ModelAnswer>(
  deps: RequestDeps,
  { alias, config, attempt, interactive, isAsked, sent, traced, output, structuredOutput }: Asked,
  make: (way: Way) => Promise<Answer>,
): ReturnType<typeof askOnTerms<Answer>> {
  const { record, signal } = attempt;
  const guarded = { alias, config, now: attempt.now, ...defined({ isAsked }) };
  // A lease counts in the minute even if the circuit then refuses its request.
  const check = () => deps.breaker.check(guarded);
  const leased: LeasedRequest = { alias, config, attempt, interactive, check, sent, ...defined({ isAsked }) };
  const asked: AskOnTermsArgs = {
    ...{ config, output, structuredOutput, downgraded: record.downgraded },
    onDowngrade: (downgraded) => record.downgrade(downgraded),
  };
  return askOnTerms(asked, (terms, request) =>
    deps.leases.during(leased, () =>
      traceCall(deps.tracing, { ...traced, config, request }, (traceparent, onRequest) =>
        deps.breaker.guard(guarded, (answers) =>
          make({
            ...{ config, terms, signal, onRequest, answers },
            headers: defined({ traceparent }),
            onStart: (spending) => record.follow(spending),
          }),
        ),
      ),
    ),
  );
}

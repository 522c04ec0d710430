import { Context } from '@temporalio/activity';
import type { ModelRequest } from '../../agent/model/adapter';
import type { Usage } from '../../agent/model/cost/usage';
import { textMessages } from '../../agent/model/text-calls/text-messages';
import { timeForTools } from '../../agent/plan/with-answer';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import { streamAnswer } from './answer/stream-answer';
import { type Attempt, isAskedFor, timeLeft } from './call-budget';
import type { CircuitBreaker } from './circuit/breaker';
import type { Leases } from './leases/leases';
import { askOnTerms } from './output/ask-on-terms';
import type { Terms } from './output/terms';
import type { PreparedCall } from './prepare-call';
import { inTextOf } from './text-calls/text-request';
import { traceCall } from './trace-call';
import type { Warn } from './usage/warnings';
import { fitCall } from './window/fit-call';
import { measuredCall, ownCount } from './window/measured-call';
import { isTooLong, refusedAsTooLong } from './window/too-long';

export interface AskModelDeps {
  tracing?: Tracing | undefined;
  leases: Pick<Leases, 'during'>;
  /** Lets no call through to a model that did not answer the last ones. */
  breaker: CircuitBreaker;
}

interface Asking {
  attempt: Attempt;
  signal: AbortSignal;
  warn: Warn;
}

/** How one request is made. */
interface Way extends Asking {
  terms: Terms;
  traceparent: string | undefined;
  /** Called with the request before it is sent. */
  onRequest(sent: Pick<ModelRequest, 'system'>): void;
  /** Called when the answer has begun. */
  answers(): void;
}

/**
 * Asks the model for an answer. Each request waits for a lease of its own, has a span that begins with the lease, and
 * is made only if the circuit of the model lets it through.
 */
export function askModel(deps: AskModelDeps, call: PreparedCall, asking: Asking): Promise<CallModelResult> {
  const { input, config, manifest, context, system, messages, offer } = call;
  const { attempt, signal } = asking;
  const { began, now, record } = attempt;
  const alias = input.model;
  // Calls in text describe the tools in the system prompt, which takes about as much.
  const sent = () => ({ system, messages, tools: (offer?.tools ?? manifest.tools).map(asSent) });
  const isAsked = isAskedFor() || (input.despiteOutage === true && Context.current().info.attempt === 1);
  const interactive = isAsked || manifest.mode === 'conversation';
  const guarded = { alias, config, now, isAsked };
  // A lease counts in the minute even if the circuit then refuses its request.
  const check = () => deps.breaker.check(guarded);
  const leased = { alias, config, began, record, interactive, isAsked, check, sent, signal };
  // Where calls are text, the output is described in text: a server is asked for nothing that it might refuse.
  const asked = manifest.toolCalls === 'text' ? undefined : manifest.output;
  const output = { config, output: asked, structuredOutput: input.structuredOutput };
  const shown = {
    ...shownToModel(call),
    ...defined({ offered: manifest.toolCalls === 'text' ? undefined : offer?.tools }),
  };
  const loaded = { ...call, ...shown, context: { ...context, ...defined({ system }) } };
  const onDowngrade: typeof record.downgrade = (downgraded) => record.downgrade(downgraded);
  return askOnTerms({ ...output, downgraded: record.downgraded, onDowngrade }, (terms, request) =>
    deps.leases.during(leased, () =>
      traceCall(deps.tracing, { request, call: input, config, loaded }, (traceparent, onRequest) =>
        deps.breaker.guard(guarded, (answers) =>
          makeRequest(call, { ...asking, terms, traceparent, onRequest, answers }),
        ),
      ),
    ),
  );
}

/** What a model reads of a tool. */
const asSent = ({ modelName, description, inputSchema }: ToolSpec) => ({ modelName, description, inputSchema });

/** What a span says of a request: where calls are text, it has no tools, and earlier calls are text. */
function shownToModel({ manifest, messages }: PreparedCall): Pick<PreparedCall, 'manifest' | 'messages'> {
  if (manifest.toolCalls !== 'text') return { manifest, messages };
  return { manifest: { ...manifest, tools: [] }, messages: textMessages(messages, manifest.tools) };
}

async function makeRequest(call: PreparedCall, way: Way): Promise<CallModelResult> {
  const { input, config, manifest, system, messages, fitted, mask, offer, tell } = call;
  const { attempt, signal, warn, terms, traceparent, onRequest, answers } = way;
  let reported: Usage | undefined;
  try {
    const answer = await streamAnswer({
      ...{ config, system, messages, tools: manifest.tools, output: manifest.output, terms, mask },
      ...defined({ offered: offer?.tools }),
      nameRepair: manifest.nameRepair,
      ...{ toolChoice: input.toolChoice, uncalled: input.uncalled, call: input.turn, mediaAgain: input.mediaAgain },
      inText: inTextOf(manifest, input),
      turnMessage: (call.sections?.names.length ?? 0) > 0,
      headers: defined({ traceparent }),
      time: timeLeft(attempt.began) - timeForTools(input),
      counted: fitted && ownCount(fitted),
      signal,
      warn,
      onRequest,
      onDelta(body) {
        answers();
        tell(body);
      },
      onUsage: (usage) => {
        reported = usage;
      },
      onStart: (spending) => attempt.record.follow(spending),
    });
    tell({ type: 'stream.complete' });
    if (fitted === undefined || !call.tellsWindow) return answer;
    return { ...answer, ...measuredCall(fitted, reported?.prompt) };
  } catch (error) {
    if (!isTooLong(error)) throw error;
    throw refusedAsTooLong(error, fitted ?? (await fitCall(call.fit)));
  }
}

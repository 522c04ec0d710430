import type { ModelAnswer, Spending, Usage } from '../../../agent/model/answer';
import type { ModelConfig } from '../../../agent/model/config';
import type { OutputDowngrade, StructuredOutput } from '../../../agent/model/structured-output';
import type { PartialAnswer } from '../../../agent/protocol/calls/model-call';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { defined } from '../../../agent/values/defined';
import { adapterFor } from '../adapters/adapter-for';
import { signsOf } from '../failures/error-table';
import { modelFailure, shownMessage } from '../failures/model-failure';
import { refusesOutput } from '../output/refusals';
import { easierTerms, firstTerms, type Terms } from '../output/terms';
import { modelRequest, type RequestArgs } from '../request/model-request';
import { spendingFor } from '../usage/price';
import { UsageMeter } from '../usage/usage-meter';
import type { Warn } from '../usage/warnings';
import { AnswerDraft } from './draft';
import { finishAnswer } from './finish';
import { readAnswer } from './read';

export interface StreamAnswerArgs extends Omit<RequestArgs, 'terms'> {
  /** How the server had to be asked for JSON earlier in the run. */
  structuredOutput?: StructuredOutput | undefined;
  /** Milliseconds that the caller has for the whole answer. */
  time?: number | undefined;
  /** Aborts the request and closes its socket. */
  signal: AbortSignal;
  /** Called for each piece as it arrives. */
  onDelta(body: DeltaBody): void;
  /** Called at the end with the usage, if the provider reported one that is plausible. */
  onUsage?(usage: Usage): void;
  /** Tokens of the request as the worker counted them. Default: estimated by the characters. */
  counted?: number | undefined;
  /** Called before the request: `spending` tells at any time what the call has cost. */
  onStart?(spending: () => Spending): void;
  /** Told of a usage or a price that is not believed. */
  warn?: Warn | undefined;
}

/** `downgraded`: the server refused a way to ask for JSON, and accepted another one. */
export type StreamedAnswer = ModelAnswer & { downgraded?: OutputDowngrade };

/** The signal aborted before the answer was complete. */
export class ModelCallStopped extends Error {
  override readonly name = 'ModelCallStopped';

  constructor(readonly partial: PartialAnswer) {
    super('The model call was stopped');
  }
}

/**
 * Makes one model call and reads its answer while it streams. A request whose output format or schemas the server refuses
 * is made again at once, in a way that asks less of it.
 * @throws ModelCallStopped when `signal` aborts
 * @throws ApplicationFailure for every other failure, see {@link modelFailure}
 */
export async function streamAnswer(args: StreamAnswerArgs): Promise<StreamedAnswer> {
  const { config, signal, tools, output } = args;
  const { warn } = args;
  const began = Date.now();
  let terms = firstTerms(config, output, args.structuredOutput);
  let { request, draft, meter } = attemptAt(args, terms);
  let downgraded: OutputDowngrade | undefined;
  const spending = (used: Usage) =>
    spendingFor(used, { prices: config.prices, model: draft.model ?? config.model, warn });
  const partial = (used: Usage): PartialAnswer => ({
    parts: draft.parts,
    ...spending(used),
    ...defined({ downgraded }),
  });
  args.onStart?.(() => spending(meter.usageIfAny));
  for (;;) {
    try {
      const time = args.time === undefined ? undefined : args.time - (Date.now() - began);
      await readAnswer({ config, adapter: adapterFor(config), request, draft, signal, time, onDelta: args.onDelta });
      // An abort ends the stream without an error; an answer that is already complete is kept.
      if (signal.aborted && draft.finish === undefined) throw new ModelCallStopped(partial(meter.usage));
      const { reported } = meter;
      if (reported !== undefined) args.onUsage?.(reported);
      const answer = await finishAnswer(draft, { config, tools, output, spending: spending(meter.usage) });
      return { ...answer, ...defined({ downgraded }) };
    } catch (error) {
      if (error instanceof ModelCallStopped) throw error;
      if (signal.aborted) throw new ModelCallStopped(partial(meter.usage));
      const easier = draft.answers > 0 ? undefined : easierTerms(error, terms, { config, output });
      if (easier === undefined) {
        // No way was accepted: the next call begins with the best one again.
        if (refusesOutput(error)) downgraded = undefined;
        throw modelFailure(error, config, partial(meter.usageIfAny));
      }
      downgraded = downgradeBy(error, { config, from: terms, to: easier, before: downgraded });
      terms = easier;
      ({ request, draft, meter } = attemptAt(args, terms));
    }
  }
}

/** What a call has been downgraded to by a refusal, and by those before it. */
function downgradeBy(
  error: unknown,
  { config, from, to, before }: { config: ModelConfig; from: Terms; to: Terms; before: OutputDowngrade | undefined },
): OutputDowngrade | undefined {
  if (from.structuredOutput === to.structuredOutput) return before;
  const why = shownMessage(signsOf(error).message, config);
  return { from: before?.from ?? from.structuredOutput, to: to.structuredOutput, why };
}

/** One request with its answer. */
function attemptAt(args: StreamAnswerArgs, terms: Terms) {
  const request = modelRequest({ ...args, terms });
  const draft = new AnswerDraft(args.tools.map(({ modelName }) => modelName));
  const { counted, warn } = args;
  return { request, draft, meter: new UsageMeter({ request, draft, counted, warn }) };
}

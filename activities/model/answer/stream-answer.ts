import { type ModelAnswer, NO_USAGE, type Usage } from '../../../agent/model/answer';
import type { ModelConfig } from '../../../agent/model/config';
import type { OutputDowngrade, StructuredOutput } from '../../../agent/model/structured-output';
import type { PartialAnswer } from '../../../agent/protocol/activities';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { defined } from '../../../agent/values/defined';
import { adapterFor } from '../adapters/adapter-for';
import { signsOf } from '../failures/error-table';
import { modelFailure, shownMessage } from '../failures/model-failure';
import { refusesOutput } from '../output/refusals';
import { easierTerms, firstTerms, type Terms } from '../output/terms';
import { modelRequest, type RequestArgs } from '../request/model-request';
import { AnswerDraft } from './draft';
import { finishAnswer } from './finish';
import { readAnswer } from './read';
import { estimatedUsage, executionUnitsOf } from './usage';

export interface StreamAnswerArgs extends Omit<RequestArgs, 'terms'> {
  /** How the server had to be asked for JSON earlier in the run. */
  structuredOutput?: StructuredOutput | undefined;
  /** Milliseconds that the caller has for the whole answer. */
  time?: number | undefined;
  /** Aborts the request and closes its socket. */
  signal: AbortSignal;
  /** Called for each piece as it arrives. */
  onDelta(body: DeltaBody): void;
  /** Called at the end with the usage, if the provider reported it. */
  onUsage?(usage: Usage): void;
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
  const began = Date.now();
  let terms = firstTerms(config, output, args.structuredOutput);
  let request = modelRequest({ ...args, terms });
  let draft = newDraft(args);
  let downgraded: OutputDowngrade | undefined;
  // Estimated only if the provider does not report it: it means a walk over the whole transcript.
  const usage = (): Usage => draft.usage ?? estimatedUsage(request, draft);
  const partial = (used: Usage): PartialAnswer => ({
    parts: draft.parts,
    usage: used,
    executionUnits: executionUnitsOf(used, config.prices),
    ...defined({ downgraded }),
  });
  for (;;) {
    try {
      const time = args.time === undefined ? undefined : args.time - (Date.now() - began);
      await readAnswer({ config, adapter: adapterFor(config), request, draft, signal, time, onDelta: args.onDelta });
      // An abort ends the stream without an error; an answer that is already complete is kept.
      if (signal.aborted && draft.finish === undefined) throw new ModelCallStopped(partial(usage()));
      if (draft.usage !== undefined) args.onUsage?.(draft.usage);
      const answer = await finishAnswer(draft, { config, tools, output, usage: usage() });
      return { ...answer, ...defined({ downgraded }) };
    } catch (error) {
      if (error instanceof ModelCallStopped) throw error;
      if (signal.aborted) throw new ModelCallStopped(partial(usage()));
      const easier = draft.answers > 0 ? undefined : easierTerms(error, terms, { config, output });
      if (easier === undefined) {
        // No way was accepted: the next call begins with the best one again.
        if (refusesOutput(error)) downgraded = undefined;
        // A call that was refused, or never arrived, costs nothing.
        throw modelFailure(error, config, partial(draft.arrivals > 0 ? usage() : NO_USAGE));
      }
      downgraded = downgradeBy(error, { config, from: terms, to: easier, before: downgraded });
      terms = easier;
      request = modelRequest({ ...args, terms });
      draft = newDraft(args);
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

function newDraft({ tools }: StreamAnswerArgs): AnswerDraft {
  return new AnswerDraft(tools.map(({ modelName }) => modelName));
}

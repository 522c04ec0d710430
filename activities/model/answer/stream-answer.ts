import { type ModelAnswer, NO_USAGE, type Usage } from '../../../agent/model/answer';
import type { PartialAnswer } from '../../../agent/protocol/activities';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { adapterFor } from '../adapters/adapter-for';
import { modelFailure } from '../failures/model-failure';
import { modelRequest, type RequestArgs } from '../request/model-request';
import { AnswerDraft } from './draft';
import { finishAnswer } from './finish';
import { readAnswer } from './read';
import { estimatedUsage, executionUnitsOf } from './usage';

export interface StreamAnswerArgs extends RequestArgs {
  /** Milliseconds that the caller has for the whole answer. */
  time?: number | undefined;
  /** Aborts the request and closes its socket. */
  signal: AbortSignal;
  /** Called for each piece as it arrives. */
  onDelta(body: DeltaBody): void;
  /** Called at the end with the usage, if the provider reported it. */
  onUsage?(usage: Usage): void;
}

/** The signal aborted before the answer was complete. */
export class ModelCallStopped extends Error {
  override readonly name = 'ModelCallStopped';

  constructor(readonly partial: PartialAnswer) {
    super('The model call was stopped');
  }
}

/**
 * Makes one model call and reads its answer while it streams.
 * @throws ModelCallStopped when `signal` aborts
 * @throws ApplicationFailure for every other failure, see {@link modelFailure}
 */
export async function streamAnswer(args: StreamAnswerArgs): Promise<ModelAnswer> {
  const { config, signal, tools, output } = args;
  const request = modelRequest(args);
  const draft = new AnswerDraft(tools.map(({ modelName }) => modelName));
  // Estimated only if the provider does not report it: it means a walk over the whole transcript.
  const usage = (): Usage => draft.usage ?? estimatedUsage(request, draft);
  const partial = (used: Usage): PartialAnswer => ({
    parts: draft.parts,
    usage: used,
    executionUnits: executionUnitsOf(used, config.prices),
  });
  try {
    const { time, onDelta } = args;
    await readAnswer({ config, adapter: adapterFor(config), request, draft, signal, time, onDelta });
    // An abort ends the stream without an error; an answer that is already complete is kept.
    if (signal.aborted && draft.finish === undefined) throw new ModelCallStopped(partial(usage()));
    if (draft.usage !== undefined) args.onUsage?.(draft.usage);
    return await finishAnswer(draft, { config, tools, output, usage: usage() });
  } catch (error) {
    if (error instanceof ModelCallStopped) throw error;
    if (signal.aborted) throw new ModelCallStopped(partial(usage()));
    // A call that was refused, or never arrived, costs nothing.
    throw modelFailure(error, config, partial(draft.arrivals > 0 ? usage() : NO_USAGE));
  }
}

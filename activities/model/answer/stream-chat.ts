import { type ModelAnswer, NO_USAGE, type Usage } from '../../../agent/model/answer';
import type { PartialAnswer } from '../../../agent/protocol/activities';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { mapModelError } from '../failures/model-failure';
import { buildRequest, type RequestArgs } from '../request/build-request';
import { AnswerDraft } from './draft';
import { finishAnswer } from './finish';
import { readAnswer } from './read';
import { estimatedUsage, executionUnitsOf } from './usage';

export interface StreamChatArgs extends RequestArgs {
  /** Sent in addition to the headers of the model's configuration. */
  headers?: { readonly [name: string]: string };
  /** Milliseconds that the caller has for the whole answer. */
  time?: number | undefined;
  /** Aborts the request and closes its socket. */
  signal: AbortSignal;
  /** Called for each piece as it arrives. */
  onDelta(body: DeltaBody): void;
  /** Called at the end with the usage, if the server reported it. */
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
 * @throws ApplicationFailure for every other failure, see {@link mapModelError}
 */
export async function streamChat(args: StreamChatArgs): Promise<ModelAnswer> {
  const { config, signal } = args;
  const request = buildRequest(args);
  const draft = new AnswerDraft(args.tools.map(({ modelName }) => modelName));
  // Estimated only if the server does not report it: it means a walk over the whole transcript.
  const usage = (): Usage => draft.usage ?? estimatedUsage(request, draft);
  const partial = (used: Usage): PartialAnswer => ({
    parts: draft.parts,
    usage: used,
    executionUnits: executionUnitsOf(used, config.prices),
  });
  try {
    const { headers = {}, time, onDelta } = args;
    await readAnswer({ config, request, draft, signal, headers, time, onDelta });
    // An abort ends the stream without an error; an answer that is already complete is kept.
    if (signal.aborted && draft.finish === undefined) throw new ModelCallStopped(partial(usage()));
    if (draft.usage !== undefined) args.onUsage?.(draft.usage);
    return await finishAnswer(draft, { config, tools: args.tools, output: args.output, usage: usage() });
  } catch (error) {
    if (error instanceof ModelCallStopped) throw error;
    if (signal.aborted) throw new ModelCallStopped(partial(usage()));
    // A call that was refused, or never arrived, costs nothing.
    throw mapModelError(error, config, partial(draft.chunks > 0 ? usage() : NO_USAGE));
  }
}

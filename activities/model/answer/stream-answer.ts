import type { ModelRequest } from '../../../agent/model/adapter';
import type { ModelAnswer } from '../../../agent/model/answer';
import type { Usage } from '../../../agent/model/cost/usage';
import type { RepairNames } from '../../../agent/model/names/name-repair';
import { isForced } from '../../../agent/model/tool-choice';
import type { PartialAnswer, SpendingOfModel } from '../../../agent/protocol/calls/model-call';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { defined } from '../../../agent/values/defined';
import { adapterFor } from '../adapters/adapter-for';
import { signsOf } from '../failures/error-table';
import { modelFailure, shownMessage } from '../failures/model-failure';
import { refusalOf, TermsRefused } from '../output/refusals';
import { modelRequest, type RequestArgs, toolChoiceOf } from '../request/model-request';
import { TextCalls } from '../text-calls/text-calls';
import { type InText, textRequest } from '../text-calls/text-request';
import { spendingFor } from '../usage/price';
import { UsageMeter } from '../usage/usage-meter';
import type { Warn } from '../usage/warnings';
import { AnswerDraft } from './draft';
import { finishAnswer } from './finish';
import { readAnswer } from './read';

export interface StreamAnswerArgs extends RequestArgs {
  /** The model calls tools in its text. Missing: it calls them as its provider provides. */
  inText?: InText | undefined;
  /** Milliseconds that the caller has for the whole answer. */
  time?: number | undefined;
  /** Aborts the request and closes its socket. */
  signal: AbortSignal;
  /** How names of tools are repaired. Missing: they are not. */
  nameRepair?: RepairNames | undefined;
  /** Called for each piece as it arrives. */
  onDelta(body: DeltaBody): void;
  /** Called at the end with the usage, if the provider reported one that is plausible. */
  onUsage?(usage: Usage): void;
  /** Tokens of the request as the worker counted them. Default: estimated by the characters. */
  counted?: number | undefined;
  /** Called with the request before it is sent. */
  onRequest?(request: ModelRequest): void;
  /** Called before the request: `spending` tells at any time what the call has cost. */
  onStart?(spending: () => SpendingOfModel): void;
  /** Told of a usage or a price that is not believed. */
  warn?: Warn | undefined;
}

/** The signal aborted before the answer was complete. */
export class ModelCallStopped extends Error {
  override readonly name = 'ModelCallStopped';

  constructor(readonly partial: PartialAnswer) {
    super('The model call was stopped');
  }
}

/**
 * Makes one request of a model and reads its answer while it streams.
 * @throws ModelCallStopped when `signal` aborts
 * @throws TermsRefused when the server refuses what the request asks of it
 * @throws ApplicationFailure for every other failure, see {@link modelFailure}
 */
export async function streamAnswer(args: StreamAnswerArgs): Promise<ModelAnswer> {
  const { config, tools, output, nameRepair, signal, time, onDelta, counted, warn } = args;
  const request = args.inText === undefined ? modelRequest(args) : textRequest(args, args.inText);
  const adapter = adapterFor(config);
  const calls = args.inText && new TextCalls(adapter, tools);
  const draft = new AnswerDraft(tools.map(({ modelName }) => modelName));
  const meter = new UsageMeter({ request, draft, counted, warn, left: calls });
  const named = () => draft.model ?? config.model;
  const spending = (used: Usage) => spendingFor(used, { prices: config.prices, model: named(), warn });
  const partial = (used: Usage): PartialAnswer => ({ parts: draft.parts, model: named(), ...spending(used) });
  args.onStart?.(() => ({ model: named(), ...spending(meter.usageIfAny) }));
  try {
    args.onRequest?.(request);
    await readAnswer({ config, adapter: calls ?? adapter, request, draft, signal, time, onDelta });
    // An abort ends the stream without an error; an answer that is already complete is kept.
    if (signal.aborted && draft.finish === undefined) throw new ModelCallStopped(partial(meter.usage));
    const { reported } = meter;
    if (reported !== undefined) args.onUsage?.(reported);
    const mostTokens = request.settings.maxTokens ?? Number.POSITIVE_INFINITY;
    const usedUp = reported !== undefined && reported.completion >= mostTokens;
    const spent = spending(meter.usage);
    const answer = await finishAnswer(draft, { config, tools, output, nameRepair, usedUp, spending: spent });
    if (calls === undefined) return answer;
    const mustCall = args.uncalled ? isForced(toolChoiceOf(args)) : undefined;
    return { ...calls.withFaults(answer), ...defined({ mustCall }) };
  } catch (error) {
    if (error instanceof ModelCallStopped) throw error;
    if (signal.aborted) throw new ModelCallStopped(partial(meter.usage));
    const told = { partial: partial(meter.usageIfAny), answeredBefore: args.call > 1 };
    const failure = modelFailure(error, config, told);
    const refusal = draft.answers > 0 ? undefined : refusalOf(error);
    if (refusal === undefined) throw failure;
    throw new TermsRefused({ ...refusal, why: shownMessage(signsOf(error).message, config) }, failure);
  }
}

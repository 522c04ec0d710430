import { ApplicationFailure, Context } from '@temporalio/activity';
import { HoldfastError } from '../../agent/errors/error';
import type { ModelConfig } from '../../agent/model/config';
import type { ContextSummary } from '../../agent/model/context-window';
import type { Message } from '../../agent/model/message';
import type { ModelSettings } from '../../agent/model/settings';
import { askedIn, withSections } from '../../agent/prompt-sections/turn-message';
import type { CallModelInput } from '../../agent/protocol/calls/model-call';
import type { CallSections } from '../../agent/protocol/calls/sent-sections';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import type { DeltaBody } from '../../agent/protocol/stream';
import { defined } from '../../agent/values/defined';
import { callSections } from '../prompt/call-sections';
import {
  makeTurnSections,
  NO_SECTIONS,
  type TurnSections,
  type TurnSectionsDeps,
  withoutLongest,
} from '../prompt/turn-sections';
import { type DeltaSinks, publish } from '../publish-delta';
import { type Offer, offerTools } from '../tool-filter/offer-tools';
import { BY_WORDS, type Rankers } from '../tool-filter/rankers';
import { type Attempt, timeLeft } from './attempt';
import { keepBudget } from './budget/reserve';
import { CALL_BUDGET } from './call-budget';
import { forPurpose } from './purpose/for-purpose';
import type { MediaMask } from './request/mask-media';
import { withSentTools } from './request/sent-tools';
import { modelInEffect } from './settings/model-in-effect';
import { type FitArgs, type FittedCall, fitCall, windowOf } from './window/fit-call';
import { checkNotFull } from './window/nearly-full';
import { checkFits } from './window/too-long';

export interface PrepareCallDeps extends DeltaSinks {
  /** By alias. */
  models: Readonly<Record<string, ModelConfig>>;
  /** Loads what the call's pin and transcript refer to. */
  load(input: CallModelInput): Promise<LoadedCall>;
  /** The agent's custom media mask, if it has one. */
  maskOf?(agent: string): MediaMask | undefined;
  /** What the functions of an agent's turn message need. Missing: no agent has one. */
  sections?: TurnSectionsDeps;
  /** The agent's own headers for its models, if it has any. */
  headersOf?(agent: string): ModelSettings['extraHeaders'];
  /** Rank the tools of agents with a tool filter. Default: {@link BY_WORDS}. */
  rankers?: Rankers;
}

interface LoadedCall {
  manifest: Manifest;
  context: RunContext;
  /** The whole transcript. */
  messages: Message[];
  /** The summary that the call's input names. */
  summary?: ContextSummary;
}

/** A model call that is ready to be made. */
export interface PreparedCall {
  input: CallModelInput;
  config: ModelConfig;
  /** Milliseconds of outage after which the run stops waiting for the model. */
  patience: number;
  /** With the tools and the output that the call asks for. */
  manifest: Manifest;
  /** As the run has pinned it. */
  pinned: Manifest;
  context: RunContext;
  /** The system prompt that is sent. */
  system: string | undefined;
  /** What is sent of the transcript, with the turn message. */
  messages: readonly Message[];
  /** What the call was, or would be, measured by. */
  fit: FitArgs;
  /** Missing: neither a window nor a budget limits the call, and all messages are sent. */
  fitted: FittedCall | undefined;
  /** The window of the model is known, or the run chooses what is sent: the answer tells how much of it was used. */
  tellsWindow: boolean;
  mask: MediaMask | undefined;
  /** The turn message. Missing: the agent has none. */
  sections: CallSections | undefined;
  /** The tools that are offered, and what the run is told about them. Missing: all tools are. */
  offer: Offer | undefined;
  /** Publishes a piece of the answer. */
  tell(body: DeltaBody): void;
}

/**
 * Loads a call, chooses its tools and the messages that fit into the window of its model, and sets aside what the call may cost.
 * @throws ApplicationFailure `UnknownModel`, `ModelContextTooLong`, `BudgetExhausted`, `ModelUnpriced`, one where the
 *   model should conclude first, and what `deps.load` throws
 */
export async function prepareCall(
  deps: PrepareCallDeps,
  input: CallModelInput,
  attempt: Attempt,
): Promise<PreparedCall> {
  const { record, signal } = attempt;
  const pinned = await deps.load(input);
  const config = configOf(deps, input.model, pinned.manifest);
  const loaded = withSentTools(forPurpose(pinned, input), input);
  const { manifest, context } = loaded;
  const tell = publisher(deps, input, loaded);
  const mask = deps.maskOf?.(manifest.agent);
  const rankers = deps.rankers ?? BY_WORDS;
  const filter = manifest.tools.length === 0 ? undefined : input.filter;
  const offer = await offerTools(rankers, manifest, { ...loaded, filter, signal });
  const offered = defined({ offered: offer?.tools });
  const time = timeLeft(attempt) / 2;
  const made = await sectionsOf(deps, { ...loaded, ...offered, call: input, cancelled: signal, time });
  const asked: FitArgs = { ...loaded, ...offered, call: input, config, mask };
  const tellsWindow = windowOf(asked) !== undefined || input.trimming !== undefined;
  const { fit, whole, sections } = await fitWithSections(asked, made, tellsWindow);
  if (whole !== undefined) checkFits(whole);
  if (whole !== undefined && input.toolChoice !== 'none') checkNotFull(whole);
  const fitted = (await keepBudget({ fit, fitted: whole, call: input, record })) ?? whole;
  return {
    ...{ input, config, manifest, pinned: pinned.manifest, context, fit, fitted, tellsWindow, mask, offer, tell },
    system: fitted === undefined ? context.system : fitted.prompt,
    // A model that a person chose may not be one of the manifest's.
    patience: manifest.modelPatience?.[input.model] ?? config.patience ?? CALL_BUDGET,
    messages: withSections({
      messages: fitted?.sent ?? loaded.messages,
      sections: sections.sent,
      asked: sections.sent.length === 0 ? undefined : askedIn(loaded.messages, input.opened),
      turn: input.turn,
    }),
    sections: manifest.prompt === undefined ? undefined : callSections(sections, input.sections),
  };
}

async function sectionsOf(
  { sections }: PrepareCallDeps,
  given: Parameters<typeof makeTurnSections>[1],
): Promise<TurnSections> {
  return sections === undefined ? NO_SECTIONS : makeTurnSections(sections, given);
}

/** Measures a call. Sections that do not fit beside what must be sent are left out, the longest one first. */
async function fitWithSections(
  asked: FitArgs,
  made: TurnSections,
  measures: boolean,
): Promise<{ fit: FitArgs; whole: FittedCall | undefined; sections: TurnSections }> {
  let sections = made;
  for (;;) {
    const fit = sections.sent.length === 0 ? asked : { ...asked, sections: sections.sent };
    const whole = measures ? await fitCall(fit) : undefined;
    const fewer = whole === undefined || whole.pruned.fits ? undefined : withoutLongest(sections);
    if (fewer === undefined) return { fit, whole, sections };
    sections = fewer;
  }
}

function publisher(
  sinks: DeltaSinks,
  { turn, facts: after = 0, takesOver, purpose }: CallModelInput,
  { manifest: { agent }, context: { delegatedBy } }: LoadedCall,
): (body: DeltaBody) => void {
  // People do not read what a planner or a router writes.
  if (purpose !== undefined && purpose.for !== 'synthesis') return () => undefined;
  const { info } = Context.current();
  const { attempt, activityId: callId } = info;
  const id = info.workflowExecution?.workflowId ?? '';
  let seq = 0;
  const about = { agent, ...defined({ delegatedBy }) };
  // The body comes last: to add fields to a copy of it would cost fifty times as much.
  const tell = (body: DeltaBody) => publish(sinks, { id, turn, callId, attempt, after, seq: seq++, ...body }, about);
  // Otherwise readers see the text of the previous attempt twice.
  if (attempt > 1 || takesOver) tell({ type: 'stream.clear' });
  return tell;
}

/**
 * The configuration of a model, with the settings of the agent that calls it.
 * @throws ApplicationFailure `UnknownModel`
 */
export function configOf(
  { models, headersOf }: Pick<PrepareCallDeps, 'models' | 'headersOf'>,
  alias: string,
  manifest: Manifest,
): ModelConfig {
  const config = Object.hasOwn(models, alias) ? models[alias] : undefined;
  if (config !== undefined) return modelInEffect(config, manifest, headersOf?.(manifest.agent));
  const error = new HoldfastError('UnknownModel', { alias, known: Object.keys(models) });
  throw ApplicationFailure.nonRetryable(error.message, error.type, error.data);
}

import type { Grant } from '../../approvals/approval';
import type { MessageReceipt } from '../../conversation/messages';
import type { ContextBudget, ContextSummary, ContextWindow } from '../../model/context-window';
import type { StructuredOutput } from '../../model/structured-output';
import type { CompactRequest } from '../../protocol/calls/compaction';
import type { Lifecycle } from '../../protocol/calls/lifecycle';
import type { PrefixRef } from '../../protocol/calls/model-call';
import type { Pin } from '../../protocol/manifest';
import type { ChainLink, PinnedMessage } from '../../protocol/queries';
import type { OfferedState } from '../../tool-filter/tool-filter';
import {
  anyName,
  anyOf,
  count,
  exactly,
  type Form,
  flag,
  json,
  jsonObject,
  listOf,
  maybe,
  number,
  objectOf,
  oneOf,
  recordOf,
  text,
  yes,
} from '../../values/form';
import type { Json } from '../../values/json';
import type { Conclusion } from '../conclusion';
import type { Outage } from '../phase';
import type { AgentState, UnknownOutcome } from '../state';
import { action, calls, decision, effects } from './batch-form';
import { breakerForm } from './breaker-form';
import { budgetForm, priceForm } from './budget-form';
import {
  CARRIED_VERSION,
  type CarriedRun,
  type CarriedTranscript,
  type CarriedUpdate,
  type UpdateError,
} from './carried';
import type { CarriedPhase, CarriedState } from './carried-state';
import { message, messages, queuedMessages } from './message-form';
import { planForm } from './plan-form';
import { CALLS, REPORT, SPENDING } from './spending-form';

type Part<Field extends keyof AgentState> = NonNullable<AgentState[Field]>;

const counts = recordOf(number);

const state = objectOf<CarriedState>({
  id: text,
  agent: text,
  phase: objectOf<CarriedPhase>({ at: oneOf({ idle: true, working: true }) }),
  chainId: text,
  epoch: count,
  exchange: count,
  opened: number,
  idleSince: maybe(number),
  taken: recordOf(objectOf<MessageReceipt>({ exchange: count, ahead: count, after: count })),
  closing: maybe(objectOf<Part<'closing'>>({ why: oneOf({ closed: true, idle: true }), by: maybe(text) })),
  title: maybe(text),
  pin: objectOf<Pin>({ manifest: text, context: text }),
  lifecycle: oneOf<Lifecycle>({ init: true, message: true, tool_result: true, output_error_feedback: true }),
  turn: count,
  toolInteractions: objectOf<AgentState['toolInteractions']>({ current: count, max: count }),
  breakers: maybe(breakerForm),
  model: count,
  downgrades: maybe(recordOf(oneOf<StructuredOutput>({ schema: true, json_object: true, prompt: true }))),
  chosen: maybe(
    objectOf<Part<'chosen'>>({
      alias: text,
      at: count,
      patience: maybe(number),
      prices: maybe(priceForm),
      forcesCall: maybe(yes),
    }),
  ),
  concluding: anyOf<AgentState['concluding']>(
    '`false` or the reason to conclude',
    exactly(false),
    oneOf<Conclusion>({ interactions: true, window: true, budget: true, repeating: true, silent: true }),
  ),
  rejected: maybe(objectOf<Part<'rejected'>>({ attempts: count, problem: text })),
  reminder: maybe(objectOf<Part<'reminder'>>({ turn: count, text })),
  repeated: maybe(objectOf<Part<'repeated'>>({ type: text, name: maybe(text), message: text, times: count })),
  plan: maybe(planForm),
  sent: objectOf<PrefixRef>({ epoch: count, length: count, hash: text }),
  toolTypeCounts: counts,
  unknownOutcomes: listOf(objectOf<UnknownOutcome>({ toolUseId: text, name: text, hash: text })),
  decided: recordOf(objectOf<AgentState['decided'][string]>({ decision, by: maybe(text), at: number })),
  replied: recordOf(objectOf<AgentState['replied'][string]>({ action, by: maybe(text), at: number })),
  trimming: objectOf<ContextWindow>({
    from: count,
    summary: maybe(text),
    shortened: maybe(count),
    window: maybe(number),
    factor: maybe(number),
  }),
  summary: maybe(objectOf<ContextSummary>({ text, upTo: count })),
  compaction: maybe(
    objectOf<Part<'compaction'>>({
      tried: count,
      asked: maybe(objectOf<CompactRequest>({ keep: maybe(count), by: maybe(text) })),
    }),
  ),
  budget: maybe(
    objectOf<ContextBudget>({
      turn: count,
      total: maybe(number),
      used: number,
      remaining: maybe(number),
      system: number,
      tools: number,
      sections: maybe(number),
      summary: maybe(number),
      messages: count,
      dropped: number,
      counted: anyName,
    }),
  ),
  offered: maybe(
    objectOf<OfferedState>({
      found: listOf(text),
      ranked: listOf(text),
      offered: count,
      hidden: count,
      saved: count,
    }),
  ),
  grants: listOf(objectOf<Grant>({ tool: text, key: text, allowed: flag, by: text, at: number, comment: maybe(text) })),
  ignored: counts,
  unknownSignals: maybe(counts),
  ...SPENDING,
  children: maybe(objectOf<Part<'children'>>({ ...REPORT, runs: count })),
  calls: CALLS,
  budgets: maybe(budgetForm),
  facts: count,
  chain: listOf(objectOf<ChainLink>({ runId: text, facts: count, messages: count })),
  continued: count,
});

const update = anyOf<CarriedUpdate>(
  'an update with `value`, `error` or `dropped`',
  objectOf<{ id: string; value: Json }>({ id: text, value: json }),
  objectOf<{ id: string; error: UpdateError }>({
    id: text,
    error: objectOf<UpdateError>({ type: text, message: text, data: jsonObject }),
  }),
  objectOf<{ id: string; dropped: true }>({ id: text, dropped: yes }),
);

/** The form of what a run of this version passes to the next one. */
export const carriedForm: Form<CarriedRun> = objectOf<CarriedRun>({
  version: exactly(CARRIED_VERSION),
  runId: text,
  transcript: objectOf<CarriedTranscript>({
    first: count,
    pinned: listOf(objectOf<PinnedMessage>({ index: count, message })),
    messages,
    large: maybe(listOf(count)),
  }),
  batch: calls,
  waiting: objectOf<CarriedRun['waiting']>({ inbox: queuedMessages, steers: queuedMessages, notes: listOf(text) }),
  effects,
  state,
  outage: maybe(
    objectOf<Outage>({
      since: number,
      failures: count,
      error: objectOf<Outage['error']>({ type: text, message: text }),
      nextAt: maybe(number),
      asked: maybe(yes),
    }),
  ),
  answer: maybe(objectOf<NonNullable<CarriedRun['answer']>>({ exchange: count, data: maybe(json) })),
  updates: listOf(update),
});

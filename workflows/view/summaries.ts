import type { CompactInput, CompactionMethod } from '../../agent/protocol/calls/compaction';
import type { Lifecycle } from '../../agent/protocol/calls/lifecycle';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { BatchCall } from '../../agent/state/batch';
import type { AgentState } from '../../agent/state/state';
import type { CallPurpose } from '../../agent/strategy/call-purpose';
import type { JsonObject } from '../../agent/values/json';
import { shorten } from '../../agent/values/shorten';
import { outageOf } from '../state/selectors/phase';

/**
 * Characters of a summary. The server refuses one of more than 400 bytes, and with it the whole workflow task. Names
 * may use any script, and a codec adds bytes.
 */
const MAX = 100;
/** How many names of arguments are shown. */
const MAX_NAMES = 4;

/** What the Web UI shows beside a model call. */
export function modelSummary({
  turn,
  model,
  lifecycle,
  toolChoice,
  takesOver,
  again,
  purpose,
}: {
  turn: number;
  model: string;
  lifecycle: Lifecycle;
  toolChoice?: 'none';
  takesOver?: true;
  /** The same model, after an outage. */
  again?: boolean;
  /** What it is called for. Missing: a turn of the single loop. */
  purpose?: CallPurpose;
}): string {
  const why = again
    ? ', asked again'
    : takesOver
      ? ', takes over'
      : toolChoice === 'none'
        ? ', has to conclude'
        : purpose !== undefined
          ? FOR[purpose.for]
          : WHY[lifecycle];
  return shorten(`turn ${turn}: model ${model}`, MAX - why.length) + why;
}

/** What the Web UI shows beside a compaction. */
export function compactSummary({ turn, method, writer }: Pick<CompactInput, 'turn' | 'method' | 'writer'>): string {
  return shorten(`after turn ${turn}: ${DOES[method]}${method === 'summarise' ? ` with model ${writer}` : ''}`, MAX);
}

const DOES: { readonly [M in CompactionMethod]: string } = {
  summarise: 'sums up old messages',
  'tool-results': 'shortens old results',
  function: 'compacts old messages',
};

/** What the Web UI shows beside the timer of a run that waits for its model. */
export function waitSummary(state: Pick<AgentState, 'turn' | 'phase'>, model: string): string {
  const failures = outageOf(state)?.failures ?? 0;
  return shorten(`turn ${state.turn}: asks the model ${model} again, failures so far: ${failures}`, MAX);
}

const FOR: { readonly [P in CallPurpose['for']]: string } = {
  planner: ', plans',
  router: ', picks a tool',
  synthesis: ', answers from the results',
};

const WHY: { readonly [L in Lifecycle]: string } = {
  init: '',
  message: '',
  tool_result: '',
  output_error_feedback: ', corrects its answer',
};

/**
 * What the Web UI shows beside a tool, whose name it shows already: the call without the values of its arguments, since
 * every user who may list runs can read summaries. Argument names that are not in the tool's schema are left out as
 * well: a model may put anything there.
 */
export function toolSummary({ inputSchema }: Pick<ToolSpec, 'inputSchema'>, turn: number, call: CallShape): string {
  const { properties } = inputSchema;
  const known = typeof properties === 'object' && properties !== null ? properties : {};
  const names = Object.keys(call.input).filter((name) => Object.hasOwn(known, name));
  const shown = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names;
  return shorten(`turn ${turn}: call ${call.toolUseId}${names.length === 0 ? '' : ` with ${shown.join(', ')}`}`, MAX);
}

/** How many deciders the summary of an approval names. */
const MAX_DECIDERS = 3;

/** What the Web UI shows beside the timer of an approval: who has until its end to decide. */
export function approvalSummary(
  { toolUseId, name }: Pick<BatchCall, 'toolUseId' | 'name'>,
  deciders: readonly string[] = [],
): string {
  const named = deciders.length > MAX_DECIDERS ? [...deciders.slice(0, MAX_DECIDERS), '…'] : deciders;
  const who = named.length === 0 ? 'a person' : named.join(' or ');
  return shorten(`${toolUseId} ${name}: approval by ${who} expires`, MAX);
}

interface CallShape {
  toolUseId: string;
  input: JsonObject;
}

import type { ContentPart } from '../../../agent/model/message';
import type { ToolErrorType, ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import type { UndoEntry } from '../../../agent/protocol/commands/undo';
import type { BatchCall } from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { jsonBytes } from '../../../agent/values/json';
import { decisionOn, hashOf, inputOf, toolOf } from '../selectors/calls';
import { isBeingUndone } from '../selectors/effects';

/** Number of effects that are remembered. The newest stay. */
const MAX_ENTRIES = 200;
/** Bytes of one call's arguments and result that are kept for its inverse: the state of a run has to stay small. */
const MAX_INVERSE = 64 * 1024;

/** Errors of calls that took effect nevertheless, or may have. */
const MAY_HAVE_ACTED: ReadonlySet<ToolErrorType> = new Set([
  'OutcomeUnknown',
  'ResultTooLarge',
  'InvalidResult',
  'ServiceTimedOut',
  'ServiceCancelled',
  'InvalidAnswer',
]);

/** The effects of a run after one more call has settled. Pure. */
export function withEffect(
  state: Pick<AgentState, 'effects' | 'manifest'>,
  call: BatchCall,
  outcome: ToolOutcome,
): UndoEntry[] {
  const { toolUseId, name } = call;
  const { effects } = state;
  const tool = toolOf(state, name);
  const { error } = outcome;
  if (tool === undefined || tool.kind === 'loop' || tool.effect === 'read' || outcome.needs !== undefined)
    return effects;
  if (error !== undefined && !MAY_HAVE_ACTED.has(error.type)) return effects;
  const inverse = tool.undo && error === undefined ? inverseOf(call, outcome) : undefined;
  const entry: UndoEntry = { toolUseId, name, ...defined({ inverse }) };
  const all = [...effects, entry];
  const isKept = (one: UndoEntry, i: number) => i >= all.length - MAX_ENTRIES || isBeingUndone(one);
  return all.filter(isKept);
}

function inverseOf(call: BatchCall, outcome: ToolOutcome): UndoEntry['inverse'] {
  const inverse = { input: inputOf(call), hash: hashOf(call), content: givenBy(call, outcome) };
  return jsonBytes(inverse) > MAX_INVERSE ? undefined : inverse;
}

/** The full result of the tool, without the note for the model that a person changed the arguments. */
function givenBy(call: BatchCall, { content, full }: ToolOutcome): ContentPart[] {
  if (full !== undefined) return [...full, ...content.filter(({ type }) => type === 'media')];
  return decisionOn(call)?.edit === undefined ? content : content.slice(1);
}

import { startToClose } from '../../agent/define/attempt-time';
import { textOf } from '../../agent/model/message';
import { UNDO_PROBLEM, undoOf } from '../../agent/prompts/calls/undo';
import { ACTIVITY } from '../../agent/protocol/activities';
import { keyOf } from '../../agent/protocol/calls/idempotency-key';
import type { ToolOutcome, UndoToolInput } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { UndoAccepted, UndoRequest } from '../../agent/protocol/commands/undo';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import { shorten } from '../../agent/values/shorten';
import { outcomeOfFailure } from '../calls/failure-outcome';
import { toolOptions } from '../calls/tool-options';
import type { Run } from '../run/run';
import { runPatiently } from '../run/scheduling/patient-activity';
import { toolOf } from '../state/selectors/calls';
import type { UndoableCall } from '../state/selectors/effects';
import { beside, waitOut } from '../waits/wait';
import { planUndo } from './checks/check-undo';

/**
 * Accepts a request to undo effects. Facts report the outcome of each. Requests are processed one after the other.
 * @throws HoldfastError `InvalidMessage`, `NothingToUndo`, `NotUndoable`, `AlreadyUndone`, `RunEnded`
 */
export function undo(run: Run, { by, ...request }: UndoRequest): UndoAccepted {
  const calls = planUndo(run.state, request);
  const toolUseIds = calls.map(({ toolUseId }) => toolUseId);
  const after = run.state.facts;
  run.apply({ type: 'undoBegun', toolUseIds, at: Date.now(), ...defined({ by }) });
  run.undoing.push({ calls, isNamed: request.toolUseId !== undefined });
  if (run.undoing.length === 1) void beside(run, () => takeAllBack(run));
  return { toolUseIds, after };
}

/** Waits for an undo in progress, also after a cancel: a run must not end before its facts report the outcome. */
export async function undoSettled(run: Run): Promise<void> {
  if (run.undoing.length > 0) await waitOut(run, () => run.undoing.length === 0);
}

/**
 * Processes one request after the other, and within each one inverse after the other. After an inverse that failed, no
 * older call is undone: neither the rest of its request, nor requests by count. A call that was named depends on no
 * other. Throws nothing, since no caller waits for it.
 */
async function takeAllBack(run: Run): Promise<void> {
  const { undoing } = run;
  for (let request = undoing[0]; request !== undefined; request = undoing[0]) {
    const left = [...request.calls];
    let isDone = true;
    while (isDone) {
      const call = left.shift();
      if (call === undefined) break;
      isDone = await takeBack(run, call);
    }
    undoing.shift();
    if (isDone) continue;
    const behind = undoing.filter(({ isNamed }) => !isNamed);
    undoing.splice(0, undoing.length, ...undoing.filter(({ isNamed }) => isNamed));
    const toolUseIds = [...left, ...behind.flatMap(({ calls }) => calls)].map(({ toolUseId }) => toolUseId);
    if (toolUseIds.length > 0) run.apply({ type: 'undoLeft', toolUseIds });
  }
  run.undone();
}

async function takeBack(run: Run, call: UndoableCall): Promise<boolean> {
  const { toolUseId } = call;
  const { content, error } = await inverseOf(run, call);
  if (error === undefined) run.apply({ type: 'undone', toolUseId, text: cut(textOf({ parts: content }) || 'done') });
  else run.apply({ type: 'undoFailed', toolUseId, error: { type: error.type, message: cut(error.message) } });
  return error === undefined;
}

async function inverseOf(run: Run, { toolUseId, name, inverse }: UndoableCall): Promise<ToolOutcome> {
  const { state, pin } = run;
  const tools = state.manifest?.tools ?? [];
  const tool = toolOf(state, name);
  if (tool === undefined) return errorOutcome('ToolMissing', UNDO_PROBLEM.noTool(name));
  const key = `${keyOf(state, { toolUseId, hash: inverse.hash })}/undo`;
  const input: UndoToolInput = {
    pin,
    turn: state.turn,
    toolUseId,
    idempotencyKey: key,
    name,
    input: inverse.input,
    content: inverse.content,
  };
  const options = {
    bytes: run.bytes,
    ...toolOptions(tool, state),
    activityId: `undo-${toolUseId}`,
    startToCloseTimeout: longest(tool, tools),
    summary: shorten(`undo of call ${toolUseId}, ${name}`, 100),
  };
  try {
    const room = run.bytes.spend(jsonBytes(input));
    if (room !== undefined) await room;
    return await runPatiently<ToolOutcome>(ACTIVITY.undoTool, input, options);
  } catch (error) {
    return outcomeOfFailure(error, { ...tool, modelName: undoOf(tool.modelName) }, state);
  }
}

/**
 * Any tool may be the inverse of an MCP tool. Only the worker knows which one, and applies the time limit of that tool.
 */
function longest(tool: ToolSpec, tools: readonly ToolSpec[]): number {
  const inverses = tool.kind === 'mcp' ? tools.filter(({ kind }) => kind === 'mcp' || kind === 'internal') : [tool];
  return Math.max(...inverses.map(startToClose));
}

/** Characters that are kept of the text of one inverse. */
const MAX_TEXT = 2000;

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

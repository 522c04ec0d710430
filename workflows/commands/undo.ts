import { startToClose } from '../../agent/define/attempt-time';
import { textOf } from '../../agent/model/message';
import { ACTIVITY } from '../../agent/protocol/activities';
import { keyOf } from '../../agent/protocol/idempotency-key';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { ToolOutcome, UndoToolInput } from '../../agent/protocol/tool-call';
import type { Undone } from '../../agent/protocol/undo';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import { shorten } from '../../agent/values/shorten';
import { outcomeOfFailure } from '../calls/failure-outcome';
import { toolOptions } from '../calls/tool-options';
import { runPatiently } from '../run/patient-activity';
import type { Run } from '../run/run';
import type { UndoableCall } from '../state/selectors/effects';
import { fence } from '../view/visibility';
import { waitOut } from '../waits/wait';
import { checkUndo } from './check-message';
import { planUndo } from './check-undo';

/**
 * Takes effects back, one after the other, and stops at the first that fails. What went wrong with one is told beside it.
 * @throws HoldfastError `InvalidMessage`, `NothingToUndo`, `NotUndoable`, `AlreadyUndone`, `RunEnded`: then nothing was begun
 */
export async function undo(run: Run, given: unknown): Promise<Undone> {
  const { by, ...request } = checkUndo(given);
  // What is the newest effect hangs on what becomes of the request before.
  while (run.undoing) await undoSettled(run);
  const calls = planUndo(run.state, request);
  const toolUseIds = calls.map(({ toolUseId }) => toolUseId);
  run.undoing = true;
  run.apply({ type: 'undoBegun', toolUseIds, at: Date.now(), ...defined({ by }) });
  try {
    const undone: Undone['undone'] = [];
    for (const call of calls) {
      const ended = await takeBack(run, call);
      undone.push(ended);
      if (ended.error !== undefined) break;
    }
    const left = toolUseIds.slice(undone.length);
    if (left.length > 0) run.apply({ type: 'undoLeft', toolUseIds: left });
    return { undone };
  } finally {
    run.undone();
    fence(run);
  }
}

/** Waits for an undo under way, which a cancel does not cut short: a run must not end before it is told what became of it. */
export async function undoSettled(run: Run): Promise<void> {
  if (run.undoing) await waitOut(run, () => !run.undoing);
}

async function takeBack(run: Run, call: UndoableCall): Promise<Undone['undone'][number]> {
  const { toolUseId, name } = call;
  const { content, error } = await inverseOf(run, call);
  if (error !== undefined) {
    const told = { type: error.type, message: cut(error.message) };
    run.apply({ type: 'undoFailed', toolUseId, error: told });
    return { toolUseId, tool: name, text: told.message, error: told };
  }
  const text = cut(textOf({ parts: content }) || 'done');
  run.apply({ type: 'undone', toolUseId, text });
  return { toolUseId, tool: name, text };
}

async function inverseOf(run: Run, { toolUseId, name, inverse }: UndoableCall): Promise<ToolOutcome> {
  const { state, pin } = run;
  const tools = state.manifest?.tools ?? [];
  const tool = tools.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`${name} is pinned by no manifest`);
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
    return outcomeOfFailure(error, { ...tool, modelName: `undo of ${tool.modelName}` });
  }
}

/** Of an MCP tool any other may be the inverse; which one it is shows in the worker, which holds to that one's time. */
function longest(tool: ToolSpec, tools: readonly ToolSpec[]): number {
  const inverses = tool.kind === 'mcp' ? tools.filter(({ kind }) => kind === 'mcp' || kind === 'internal') : [tool];
  return Math.max(...inverses.map(startToClose));
}

/** Characters that are told of one inverse: of all that one request takes back they stand in one answer. */
const MAX_TEXT = 2000;

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

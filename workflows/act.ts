import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { HoldfastError } from '../agent/error';
import { jsonBytes } from '../agent/json';
import { INLINE } from '../agent/limits';
import type { ToolSpec } from '../agent/manifest';
import type { ModelAnswer } from '../agent/model-answer';
import type { AwaitingCall } from '../agent/state';
import type { RunToolInput, ToolOutcome } from '../agent/tool-call';
import { runActivity } from './activity';
import { askApprovals, cleared, type Gated, notRun } from './approve';
import { idempotencyKey } from './idempotency-key';
import { runInline } from './inline';
import { type LoopBreak, runLoopTool } from './loop-tool';
import { answerServer } from './mcp-rounds';
import { outcomeOfFailure } from './outcome';
import type { Run } from './run';
import { serve } from './serve';
import { publishWaiting } from './status';
import { openCalls } from './status-waits';
import { inputOf } from './step-waits';
import { toolSummary } from './summaries';
import { isConversation } from './talk';
import { toolOptions } from './tool-options';
import { undoes } from './undoable';

/** What the calls of one answer have in common. */
interface Batch {
  inline: boolean;
  /** Settles when it is known which calls wait for a person. Missing: none does. */
  asked?: Promise<void>;
  /** How the loop ends, once the batch is settled. */
  break?: LoopBreak;
  /** Why the run ends, once the batch is settled. */
  fatal?: HoldfastError;
  scope: CancellationScope;
}

/**
 * Runs all calls of an answer at once; each result is a fact when it comes, and a message when all have come. True: one
 * of them ended the loop.
 */
export async function act(run: Run, answer: ModelAnswer): Promise<boolean> {
  run.apply({ type: 'acting', answer });
  const calls = run.state.awaiting
    .filter((call) => call.problem === undefined)
    .map((call): Gated => ({ call, tool: toolOf(run, call) }));
  const [first] = calls;
  const gated = calls.filter(({ tool }) => tool.approval !== undefined);
  // One normal activity beside them would wait for the inline ones, which hold the workflow task open.
  const inline =
    gated.length === 0 && calls.length <= INLINE.calls && calls.every(({ tool }) => tool.placement === 'inline');
  const batch: Batch = { inline, scope: CancellationScope.current() };
  // A result ends the loop: whatever else was asked for comes first.
  const last = calls.filter(({ tool }) => tool.loop?.does === 'complete');
  const others = last.length === 0 ? calls : calls.filter((call) => !last.includes(call));
  if (gated.length > 0) await actGated(run, others, batch, gated);
  // One call is the usual case, and the SDK takes a stack trace of each promise that Promise.all would make.
  else if (first !== undefined && calls.length === 1) await settle(run, first, batch);
  else await Promise.all(others.map((call) => settle(run, call, batch)));
  if (calls.length > 1) for (const call of last) await settle(run, call, batch);
  run.apply({ type: 'batchSettled' });
  if (batch.fatal !== undefined) throw batch.fatal;
  // The transcript is whole at this point, each call has its result: now the cancel may go on.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the run was cancelled');
  return batch.break !== undefined && breakLoop(run, batch.break);
}

/** Ends the exchange, or the task; not where a person has said something that no call has carried yet. */
function breakLoop(run: Run, ends: LoopBreak): boolean {
  if (run.state.steers.length > 0) return false;
  if (ends.type === 'complete') run.apply({ type: 'completed', data: ends.data, text: ends.text });
  else run.apply({ type: 'exchangeEnded', reason: 'conversing', data: ends.message });
  return true;
}

/** A batch of which some calls wait for a person, while the others run. */
async function actGated(run: Run, calls: readonly Gated[], batch: Batch, gated: readonly Gated[]): Promise<void> {
  batch.scope = new CancellationScope();
  await batch.scope.run(async () => {
    batch.asked = askApprovals(run, gated);
    await Promise.all(calls.map((call) => settle(run, call, batch)));
  });
}

function toolOf({ state }: Run, call: AwaitingCall): ToolSpec {
  const tool = state.manifest?.tools.find(({ name }) => name === call.name);
  if (tool === undefined) throw new Error(`${call.name} is pinned by no manifest`);
  return tool;
}

async function settle(run: Run, gated: Gated, batch: Batch): Promise<void> {
  const { tool } = gated;
  const { toolUseId } = gated.call;
  let outcome: ToolOutcome | undefined;
  let begun = false;
  try {
    if (batch.asked !== undefined && tool.approval !== undefined) {
      await batch.asked;
      outcome = await cleared(run, gated);
    }
    const call = run.call(toolUseId) ?? gated.call;
    if (outcome === undefined) {
      const input = toolInput(run, call);
      const room = run.bytes.spend(jsonBytes(input));
      if (room !== undefined) await room;
      begun = true;
      if (batch.inline) outcome = await runInline(tool, input);
      else if (tool.kind === 'service') outcome = await serve(run, { call, tool });
      else if (tool.kind === 'loop') outcome = await loopTool(run, { call, tool }, batch);
      outcome ??= await runActivity<ToolOutcome>(tool.name, input, optionsOf(tool, call, run));
      if (outcome.needs !== undefined) {
        outcome = await answerServer(run, { call, tool }, outcome, async (round, resume) => {
          const next = { ...input, resume };
          const free = run.bytes.spend(jsonBytes(next));
          if (free !== undefined) await free;
          return runActivity<ToolOutcome>(tool.name, next, optionsOf(tool, call, run, round));
        });
      }
    }
  } catch (error) {
    outcome = begun ? outcomeOfFailure(error, tool) : notRun(error, tool);
    if (error instanceof HoldfastError) {
      batch.fatal ??= error;
      batch.scope.cancel();
    }
  }
  run.apply({ type: 'settled', toolUseId, outcome: begun ? withEdit(run, toolUseId, outcome) : outcome });
  // A message that comes before the others settle is to find this one settled on a replay as well.
  if (openCalls(run.state.awaiting).length > 0 && (isConversation(run.state) || undoes(run.state))) publishWaiting(run);
}

/** Only the first tool that ends the loop does. */
async function loopTool(run: Run, gated: Gated, batch: Batch): Promise<ToolOutcome> {
  const { outcome, break: ends } = await runLoopTool(run, gated);
  if (ends !== undefined) batch.break ??= ends;
  return outcome;
}

function toolInput({ state, pin }: Run, call: AwaitingCall): RunToolInput {
  return {
    pin,
    turn: state.turn,
    toolUseId: call.toolUseId,
    idempotencyKey: idempotencyKey(state, call.toolUseId),
    input: inputOf(call),
  };
}

/** The model has to know that something else ran than what it asked for. */
function withEdit(run: Run, toolUseId: string, outcome: ToolOutcome): ToolOutcome {
  const { input, by } = run.call(toolUseId)?.approval?.decision ?? {};
  if (input === undefined) return outcome;
  const text = `${by} changed the arguments before the call ran, to: ${JSON.stringify(input)}`;
  return { ...outcome, content: [{ type: 'text', text }, ...outcome.content] };
}

function optionsOf(tool: ToolSpec, call: AwaitingCall, { state }: Run, round = 1) {
  return {
    activityId: round === 1 ? call.toolUseId : `${call.toolUseId}-${round}`,
    ...toolOptions(tool, state),
    summary: toolSummary(tool, state.turn, call),
  };
}

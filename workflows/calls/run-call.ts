import type { RunToolInput, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { ToolOf, ToolSpec } from '../../agent/protocol/manifest';
import type { BatchCall } from '../../agent/state/batch';
import { SEARCH_TOOLS } from '../../agent/tool-filter/tool-filter';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import type { Run } from '../run/run';
import { runPatiently } from '../run/scheduling/patient-activity';
import { idempotencyKey, inputOf } from '../state/selectors/calls';
import { filterInput } from '../state/selectors/tool-filter';
import { toolSummary } from '../view/summaries';
import type { ToolCall } from '../waits/approvals';
import { type LoopExit, runLoopTool } from './loop-tool';
import { answerServer } from './mcp-rounds';
import { serve } from './service';
import type { AnsweredCall } from './service-outcome';
import { toolOptions } from './tool-options';

/** What a call gives: an outcome, which may end the loop, or a service's answer, which is checked with the others. */
export type Ran = (Outcome & { exit?: LoopExit }) | AnsweredCall;

interface Outcome {
  outcome: ToolOutcome;
}

/** Runs a call that may run now, by the kind of its tool. Calls whose results came with the answer ran before. */
export function runCall(run: Run, { call, tool }: ToolCall): Promise<Ran> {
  switch (tool.kind) {
    case 'internal':
      return runAsActivity(run, { call, tool });
    case 'mcp':
      return runOnServer(run, { call, tool });
    case 'service':
      return serve(run, { call, tool });
    case 'loop':
      return runLoopTool(run, { call, tool });
  }
}

/** During a call an MCP server may ask people for input. */
async function runOnServer(run: Run, gated: ToolCall<ToolOf<'mcp'>>): Promise<Outcome> {
  const ran = await runAsActivity(run, gated);
  if (ran.outcome.needs === undefined) return ran;
  return answerServer(run, gated, ran.outcome, (round, resume) => runAsActivity(run, gated, { round, resume }));
}

/** Runs the activity named after the tool. `again`: the call continues with people's answers; rounds count from 2. */
async function runAsActivity(
  run: Run,
  { call, tool }: ToolCall,
  again?: { round: number } & Pick<Required<RunToolInput>, 'resume'>,
): Promise<Outcome> {
  const { state, bytes } = run;
  const input = { ...toolInput(run, call), ...searchInput(run, tool), ...defined({ resume: again?.resume }) };
  const room = bytes.spend(jsonBytes(input));
  if (room !== undefined) await room;
  const { mark } = bytes;
  const limited = state.budgets !== undefined;
  if (limited) run.clock.begin();
  try {
    const outcome = await runPatiently<ToolOutcome>(tool.name, input, {
      bytes,
      activityId: again === undefined ? call.toolUseId : `${call.toolUseId}-${again.round}`,
      ...toolOptions(tool, state),
      summary: toolSummary(tool, state.turn, call),
    });
    bytes.prove(mark);
    return { outcome };
  } catch (error) {
    bytes.proveByFailure(mark, error);
    throw error;
  } finally {
    if (limited) run.endWork();
  }
}

/** A search has to know which tools are offered already. */
function searchInput({ state }: Run, { name }: ToolSpec): Pick<RunToolInput, 'filter'> {
  return name === SEARCH_TOOLS ? filterInput(state, { again: true }) : {};
}

function toolInput({ state, pin }: Run, call: BatchCall): RunToolInput {
  return {
    pin,
    turn: state.turn,
    toolUseId: call.toolUseId,
    idempotencyKey: idempotencyKey(state, call),
    input: inputOf(call),
  };
}

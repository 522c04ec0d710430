import type { ResumeTool, RunToolInput, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { ToolOf, ToolSpec } from '../../agent/protocol/manifest';
import type { BatchCall } from '../../agent/state/batch';
import { SEARCH_TOOLS } from '../../agent/tool-filter/tool-filter';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import type { Run } from '../run/run';
import { patiently } from '../run/scheduling/patient-activity';
import { runSteps, type Steps, until } from '../run/scheduling/steps';
import { idempotencyKey, inputOf, type ToolCall } from '../state/selectors/calls';
import { filterInput } from '../state/selectors/tool-filter';
import { toolSummary } from '../view/summaries';
import { type LoopToolOutcome, runLoopTool } from './loop-tool';
import { answerServer } from './mcp-rounds';
import { serve } from './service';
import type { AnsweredCall } from './service-outcome';
import { toolOptions } from './tool-options';

/** What a call gives: an outcome, which may end the loop, or a service's answer, which is checked with the others. */
export type Ran = LoopToolOutcome | AnsweredCall;

/** Runs a call that may run now, by the kind of its tool. Calls whose results came with the answer ran before. */
export function runCall(run: Run, { call, tool }: ToolCall): Steps<Ran> {
  switch (tool.kind) {
    case 'internal':
      return runAsActivity(run, { call, tool });
    case 'mcp':
      return runOnServer(run, { call, tool });
    case 'service':
      return until(serve(run, { call, tool }));
    case 'loop':
      return until(runLoopTool(run, { call, tool }));
  }
}

/** During a call an MCP server may ask people for input. */
function* runOnServer(run: Run, gated: ToolCall<ToolOf<'mcp'>>): Steps<ToolOutcome> {
  const outcome = yield* runAsActivity(run, gated);
  if (outcome.needs === undefined) return outcome;
  const again = (round: number, resume: ResumeTool) => runSteps(runAsActivity(run, gated, { round, resume }));
  return yield* until(answerServer(run, gated, outcome, again));
}

/** The call continues with people's answers. Rounds count from 2. */
type Again = { round: number; resume: ResumeTool };

/** Runs the activity named after the tool. With a budget it counts as working time. */
function* runAsActivity(run: Run, { call, tool }: ToolCall, again?: Again): Steps<ToolOutcome> {
  const { state, bytes } = run;
  const input = { ...toolInput(run, call), ...searchInput(run, tool), ...defined({ resume: again?.resume }) };
  const room = bytes.spend(jsonBytes(input));
  if (room !== undefined) yield room;
  const isTimed = state.budgets !== undefined;
  if (isTimed) run.clock.begin();
  try {
    return yield* patiently<ToolOutcome>(tool.name, input, {
      bytes,
      activityId: again === undefined ? call.toolUseId : `${call.toolUseId}-${again.round}`,
      ...toolOptions(tool, state),
      summary: toolSummary(tool, state.turn, call),
    });
  } finally {
    if (isTimed) run.endWork();
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

import { CancellationScope } from '@temporalio/workflow';
import { asksTooOften, cancelledWhileAsking } from '../../agent/prompts/questions';
import type { ResumeTool, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { Run } from '../run/run';
import type { ToolCall } from '../state/selectors/calls';
import { ask } from '../waits/questions';
import { questionsOf, resumeOf } from './mcp-input';

/**
 * How often one call may ask: as often as MCP clients let a server. Without a limit, a server could keep asking people
 * forever.
 */
const MAX_ROUNDS = 10;

/**
 * Continues a call in which a server asked for input: people are asked, for days if need be, and the tool is called
 * again with their answers, until it gives a result.
 * @param again runs the tool again; `round` is the number of that run, from 2
 */
export async function answerServer(
  run: Run,
  { call, tool }: ToolCall,
  first: ToolOutcome,
  again: (round: number, resume: ResumeTool) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  let outcome = first;
  for (let round = 1; outcome.needs !== undefined; round++) {
    if (round > MAX_ROUNDS) {
      return errorOutcome('ToolFailed', asksTooOften(tool.modelName, MAX_ROUNDS));
    }
    const { needs } = outcome;
    const questions = questionsOf(run.call(call.toolUseId) ?? call, needs);
    const replies = await ask(run, call, questions, tool.kind === 'mcp' ? tool.mcp.questionsExpire : undefined);
    if (CancellationScope.current().consideredCancelled) {
      return errorOutcome('ToolCancelled', cancelledWhileAsking(tool.modelName));
    }
    outcome = await again(round + 1, resumeOf(needs, replies));
  }
  return outcome;
}

import { ApplicationFailure } from '@temporalio/activity';
import type { Log } from '../../agent/define/context';
import { HoldfastError } from '../../agent/errors/error';
import { toolFailed } from '../../agent/prompts/calls/failed-calls';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { thrownProblem, withoutSecrets } from '../failures/thrown-problem';

/** Characters of a stack in the log. */
const MAX_STACK = 4000;

/** What a tool threw, as a result; or as a failed attempt if the tool has another. */
export function thrownOutcome(
  spec: ToolSpec,
  error: unknown,
  { again, why }: { again: boolean; why: string },
): ToolOutcome {
  // Our own errors already say what to do; others are prefixed with the name of the tool.
  const text =
    error instanceof HoldfastError ? withoutSecrets(error.message) : toolFailed(spec.modelName, thrownProblem(error));
  const message = why === '' ? text : `${text}${/[.!?]$/.test(text) ? '' : '.'}${why}`;
  if (again) throw ApplicationFailure.create({ type: 'ToolFailed', message });
  return errorOutcome('ToolFailed', message);
}

/** Runs code of a tool. If it throws by itself, the log says where: the model reads only the text of the error. */
export async function logThrown<T>(
  log: Log,
  { run, tool, toolUseId, signal }: { run: string; tool: string; toolUseId: string | undefined; signal: AbortSignal },
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HoldfastError) && !signal.aborted)
      log.warn({ id: run, tool, toolUseId, error: stackOf(error) }, 'A tool threw an error.');
    throw error;
  }
}

function stackOf(error: unknown): string {
  const text = thrownProblem(error);
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : undefined;
  if (stack === undefined) return text;
  // The stack has the message, but not that of the cause.
  return withoutSecrets(stack.includes(text) ? stack : `${text}\n${stack}`).slice(0, MAX_STACK);
}

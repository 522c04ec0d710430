import { ApplicationFailure, Context } from '@temporalio/activity';
import { ATTEMPTS } from '../../agent/limits';
import { unknownFromEarlier } from '../../agent/prompts/calls/failed-calls';
import type { ToolErrorType, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ToolSpec } from '../../agent/protocol/manifest';

/** Milliseconds between attempts, so that all of them take about a minute: by then a rolling deploy has brought the tool. */
const PAUSE = 6000;

/** A call that this attempt has not run, and why. */
export interface Unrun {
  unrun: { type: ToolErrorType; message: string };
}

export function unrun(type: ToolErrorType, message: string): Unrun {
  return { unrun: { type, message } };
}

/**
 * What the model is told about a call that this attempt has not run. If an earlier attempt may have taken effect, that
 * is unknown: told that it was not run, the model would make the call again, under another idempotency key.
 */
export function unrunOutcome(spec: ToolSpec, { unrun: { type, message } }: Unrun): ToolOutcome {
  return mayHaveActed(spec)
    ? errorOutcome('OutcomeUnknown', unknownFromEarlier(spec.modelName, message))
    : errorOutcome(type, message);
}

/**
 * The outcome where this worker lacks the tool, and an earlier attempt may have taken effect.
 * @param why as the model reads it
 * @throws ApplicationFailure `failure`; or the same for another attempt, which counts on from the earlier ones
 */
export function missingOutcome(spec: ToolSpec | undefined, failure: ApplicationFailure, why: string): ToolOutcome {
  if (spec === undefined || !mayHaveActed(spec)) throw failure;
  if (Context.current().info.attempt >= ATTEMPTS) return unrunOutcome(spec, unrun('ToolMissing', why));
  const { message, type, details } = failure;
  throw new ApplicationFailure(message, type, false, details, undefined, PAUSE);
}

/** An attempt before this one was lost with its worker, or has thrown. */
function mayHaveActed({ effect }: ToolSpec): boolean {
  return effect === 'idempotent' && Context.current().info.attempt > 1;
}

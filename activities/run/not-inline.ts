import { ApplicationFailure } from '@temporalio/activity';

/** An inline call that has to be made again as an activity of its own. */
export function notInline(problem: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`The call cannot be made inline: ${problem}.`, 'NotInline');
}

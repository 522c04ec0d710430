/*
 * What the model reads after an answer that stops too early or avoids the work.
 */

export function goOn(): string {
  return 'You stopped before the task was finished. Continue with what is left: call the next tool.';
}

export function doTheWork(): string {
  return 'Do not ask questions, and do not hand the task back. Continue with the task: call the next tool.';
}

export function nothingChanged(): string {
  return (
    'Your answer says that you changed something, but you called no tool that changes anything. ' +
    'Make the change with a tool, or say that nothing was changed.'
  );
}

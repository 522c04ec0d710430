/** Messages for runs that were just started, by the id of the run. */
const messages = new Map<string, string>();

export function keepFirstMessage(run: string, text: string): void {
  messages.set(run, text);
}

/** Takes the message: it is sent once. */
export function takeFirstMessage(run: string): string | undefined {
  const text = messages.get(run);
  messages.delete(run);
  return text;
}

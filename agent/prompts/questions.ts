/*
 * What the model reads about questions to people. `tool` is the name of the tool as the model knows it.
 */

export function questionEmpty(tool: string): string {
  return `\`${tool}\` was empty. Write what the person is to read.`;
}

export function questionWithdrawn(): string {
  return 'The question was withdrawn: the person went on without answering it.';
}

export function questionDeclined(reason: string): string {
  return `The person does not want to answer${reason === '' ? '.' : `: ${reason}`}`;
}

export function questionExpired(): string {
  return 'No answer came in time.';
}

/** The result of `converse`: the reply is the next message. */
export function messageSent(): string {
  return "Message sent. The person's reply follows.";
}

/** What a call of an MCP tool shows while its server waits for people. */
export function asksPerson(tool: string): string {
  return `\`${tool}\` asks a person.`;
}

export function asksTooOften(tool: string, rounds: number): string {
  return `\`${tool}\` asked a person ${rounds} times and asks again. It was not continued.`;
}

export function cancelledWhileAsking(tool: string): string {
  return `\`${tool}\` was cancelled while it waited for a person.`;
}

import type { Conversation } from './chat-conversation';
import { deciderOf } from './decide';
import { errorText } from './exit';
import { deeds } from './inbox';
import type { Waiting } from './inbox-lines';
import { clackPrompts, loadClack } from './inbox-prompts';
import { handle } from './inbox-screen';

/** How a person is asked in the midst of a chat. */
export interface Asking {
  /** Somebody else was quicker. */
  signal: AbortSignal;
  problem(text: string): void;
}

/** Lets a person decide on a call, or answer a question, which stands on the screen already. */
export async function askPerson(
  waiting: Waiting,
  { client, who }: Conversation,
  { signal, problem }: Asking,
): ReturnType<typeof handle> {
  try {
    const prompts = {
      ...clackPrompts(await loadClack(), { signal }),
      show: () => undefined,
      // What was decided follows as a fact.
      say: (kind: 'done' | 'problem', line: string) => (kind === 'problem' ? problem(line) : undefined),
    };
    const decider = deciderOf(who);
    return await handle({ prompts, decider, now: () => Date.now(), ...deeds(client, decider, prompts) }, waiting);
  } catch (error) {
    problem(errorText(error));
    return 'later';
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Fact } from 'holdfast';
import type { ConversationHandle } from 'holdfast/client';

const by = 'ann';

export const WISH = 'Give these files names that I can find again, please.';

/** Ann's reaction to each fact. `tell` gets a description of what she does. */
export function ann(run: ConversationHandle, tell: (what: string) => void): (fact: Fact) => Promise<void> {
  const say = (text: string) => {
    tell(`“ ${text}`);
    return run.send(text, { by });
  };
  return async (fact) => {
    if (fact.type === 'question.asked') await run.answer(fact, 'date first', { by });
    if (fact.type === 'exchange.start' && fact.exchange === 3) {
      await delay(500);
      tell('“ Too long! Say it short.');
      await run.steer('Too long! Say it short.', { by, when: 'now' });
    }
    if (fact.type !== 'exchange.end') return;
    switch (fact.exchange) {
      case 1:
        tell('↶ takes the last rename back');
        await run.undo(1, { by });
        await say('The last one was wrong: my colleague looks for that one.');
        break;
      case 2:
        await say('What do they all say?');
        break;
      case 3:
        tell('↻ wants another answer');
        await run.regenerate({ by });
        break;
      case 4:
        tell('■ closes the conversation');
        await run.close({ by });
    }
  };
}

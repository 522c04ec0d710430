import type { AgentTestEnvironment } from '../kit';
import { call, calls, text } from '../kit';
import { until } from '../until';
import { talker } from './agents';
import { ended, type RunKind } from './run-kind';

/** A conversation that went on in a new history while questions were open, with effects that can be undone. */
async function continued(kit: AgentTestEnvironment, id: string) {
  kit.model.script(
    calls(['note', { text: 'a' }], ['note', { text: 'b' }]),
    text('Noted.'),
    calls(['ask_question', { question: 'Which colour?' }], ['ask_number', { question: 'How many?' }]),
    text('Seven blue ones.'),
    call('lookup', {}),
    text('Seen.'),
  );
  const run = kit.conversation(talker, { id, owner: 'u1' });
  await run.answerTo(await run.send('Hi', { id: 'm1' }));
  const taken = await run.send('Order', { by: 'ann' });
  await run.waiting({ atLeast: { questions: 2 } });
  const first = (await run.workflow.describe()).runId;
  await run.continueAsNew();
  await until(async () => (await run.workflow.describe()).runId !== first, 'the new history');
  const { questions } = await run.waiting({ atLeast: { questions: 2 } });
  const [colour, number] = questions;
  if (colour !== undefined) await run.answer(colour, 'blue', { by: 'ann' });
  if (number !== undefined) await run.answer(number, '7', { by: 'ann' });
  await run.answerTo(taken);
  await run.undo(1, { by: 'ann' });
  await run.answerTo(await run.send('Look'));
  await run.close({ by: 'ann' });
  return { first, ...(await ended(run)) };
}

const end = '"Seen."';

/** Both histories of a run that went on in a new one. */
export const CHAIN_RUNS: { readonly [name: string]: RunKind } = {
  'chains/goes-on-while-questions-are-open': {
    end,
    async make(kit) {
      const { first: runId, ...made } = await continued(kit, 'goes-on');
      return { ...made, runId };
    },
  },
  'chains/begins-while-questions-are-open': { end, make: (kit) => continued(kit, 'begins') },
};

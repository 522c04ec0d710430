import { call, calls, fault, text } from '../kit';
import { talker } from './agents';
import { ended, type RunKind } from './run-kind';

const stalled = fault({ kind: 'stall', after: 10 }, { text: 'Once upon a time' });

/** Runs in which people talk with the agent. */
export const TALK_RUNS: { readonly [name: string]: RunKind } = {
  'waits/conversation': {
    end: '"Said again."',
    make: async (kit) => {
      kit.model.script(
        calls(
          ['ask_question', { question: 'Which colour?' }],
          ['ask_number', { question: 'How many?' }],
          ['lookup', {}],
        ),
        calls(['note', { text: 'a' }], ['note', { text: 'b' }]),
        text('Noted.'),
        text('The second.'),
        call('converse', { message: 'What else?' }),
        text('Said.'),
        text('Said again.'),
      );
      const run = kit.conversation(talker, { id: 'talk', owner: 'u1' });
      const taken = await run.send('Hi', { id: 'm1' });
      const second = await run.send('And then?', { by: 'ann' });
      const {
        questions: [colour, number],
      } = await run.waiting({ atLeast: { questions: 2 } });
      await run.decline(colour, { reason: 'private' });
      if (number !== undefined) await run.answer(number, '7', { by: 'ann' });
      await run.answerTo(taken);
      await run.answerTo(second);
      await run.undo(2, { by: 'ann' });
      await run.rename('A talk');
      await run.answerTo(await run.send('Well?'));
      await run.answerTo(await run.send('Nothing.'));
      await run.answerTo(await run.regenerate());
      await run.close({ by: 'ann' });
      return ended(run);
    },
  },
  'waits/steered-and-interrupted': {
    end: '"Shorter."',
    make: async (kit) => {
      kit.model.script(stalled, calls(['ask_question', { question: 'Sure?' }], ['wait']), stalled, text('Shorter.'));
      const run = await kit.start(talker, { input: { mail: 'x' } });
      for await (const event of run.events()) if (event.type === 'stream.text') break;
      await run.steer('Ask me first', { when: 'now' });
      await run.waiting({ atLeast: { questions: 1 } });
      await run.interrupt({ by: 'ann' });
      await run.answerTo({ exchange: 1 });
      const taken = await run.send('Go on');
      await kit.model.request(3);
      await run.steer('But shorter', { when: 'now' });
      await run.answerTo(taken);
      await run.close();
      return ended(run);
    },
  },
};

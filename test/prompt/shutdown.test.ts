import { defineAgent } from 'holdfast';
import { createAgentTestEnvironment, text } from 'holdfast/testing';
import { closeAfterTest } from '../close-after-test';
import { factsOf } from '../facts';
import { newGate } from '../gate';

let tries = 0;
const { open: reached, opened: waiting } = newGate();
const stopped = defineAgent({
  name: 'prompt.stopped',
  instructions: 'BASE',
  prompt: {
    turn: {
      rag: async ({ ctx }) => {
        tries++;
        if (tries > 1) return `RAG ${tries}`;
        reached();
        return new Promise<string>((_, reject) =>
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)),
        );
      },
    },
  },
});

test('a worker that stops while a section is made leaves nothing out: the next one makes it again', async () => {
  const kit = closeAfterTest(await createAgentTestEnvironment({ agents: [stopped], server: 'dev' }));
  kit.model.script(text('done'));
  const run = await kit.start(stopped, { input: 'hi' });
  await waiting;
  await kit.stopWorker();
  await kit.startWorker();
  expect((await run.result()).data).toBe('done');
  expect(kit.model.requests).toHaveLength(1);
  const { body } = await kit.model.request(1);
  expect(body.messages.at(-1)?.content).toBe('RAG 2\n\nhi');
  expect(await factsOf(run, 'prompt.section.failed')).toEqual([]);
});

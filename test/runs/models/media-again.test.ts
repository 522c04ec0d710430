import { defineAgent, defineTool } from 'holdfast';
import { call, fault, type RecordedRequest, text } from 'holdfast/testing';
import { z } from 'zod';
import { stageOfModels } from './models-stage';

const image = { type: 'media' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const look = defineTool({ description: 'Look', effect: 'read', inputSchema: z.object({}), execute: () => 'looked' });
const chain = defineAgent({ name: 'media.chain', model: ['first', 'second'], mode: 'conversation', tools: { look } });

const { servers, kit } = stageOfModels({ names: ['first', 'second'], agents: [chain], config: { patience: 1 } });
const { first, second } = servers;

/** Whether each request had the image. */
const shown = (requests: readonly RecordedRequest[]) =>
  requests.map(({ body }) => JSON.stringify(body.messages).includes('image_url'));

const ask = (id: string) => kit().conversation(chain, { id });
const what = [{ type: 'text' as const, text: 'What is this?' }, image];

test('a model that takes over in an exchange is shown its media, once', async () => {
  first.script(call('look', {}), fault({ kind: 'status', status: 401 }), text('Hello.'));
  second.script(call('look', {}), text('A cat.'));
  const run = ask('takes-over');
  expect((await run.answerTo(await run.send(what))).data).toBe('A cat.');
  expect(shown(first.requests)).toEqual([true, false]);
  expect(shown(second.requests)).toEqual([true, false]);
  // The next exchange begins with the first model, and has no media of its own.
  expect((await run.answerTo(await run.send('Hello?'))).data).toBe('Hello.');
  expect(shown(first.requests)).toEqual([true, false, false]);
  await run.close();
  await run.result();
  await kit().replay(run);
});

test('an answer that is asked for again is asked for with its media, of another model too', async () => {
  first.script(text('A dog.'), text('A cow.'));
  second.script(text('A cat.'));
  const run = ask('again');
  await run.answerTo(await run.send(what));
  expect((await run.answerTo(await run.regenerate())).data).toBe('A cow.');
  await run.switchModel('second');
  expect((await run.answerTo(await run.regenerate())).data).toBe('A cat.');
  expect(shown(first.requests)).toEqual([true, true]);
  expect(shown(second.requests)).toEqual([true]);
  await run.close();
  await run.result();
  await kit().replay(run);
});

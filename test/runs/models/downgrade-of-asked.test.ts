import { defineAgent, defineTool } from 'holdfast';
import { call, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../../facts';
import { newGate } from '../../gate';
import { plans, step } from '../../plans/planner';
import { stageOfModels } from './models-stage';

const outputSchema = z.object({ n: z.number() });
const count = defineTool({ description: 'Counts', effect: 'read', inputSchema: z.object({}), execute: () => 3 });
const counter = defineAgent({ name: 'asked.counter', model: 'first', tools: { count }, outputSchema });
const talk = defineAgent({ name: 'asked.talk', model: 'first', mode: 'conversation', outputSchema });

const planner = defineAgent({
  ...{ name: 'asked.planner', model: 'first', tools: { count }, outputSchema },
  ...{ strategy: 'plan' as const, mode: 'conversation' as const },
});

const { servers, kit } = stageOfModels({ names: ['first', 'spare'], agents: [counter, talk, planner] });
const { first, spare } = servers;
const refused = fault({ kind: 'status', status: 400, message: 'This response_format type is unavailable now' });
const formats = ({ requests }: typeof first) => requests.map(({ body }) => body.response_format?.type);

it('a downgrade is one of the model that was asked, not of the one that was chosen during the call', async () => {
  const { open, opened } = newGate();
  first.script(refused, refused, async () => {
    await opened;
    return call('count');
  });
  spare.script(text('{"n":1}'));
  const run = await kit().start(counter, { input: 'go' });
  await first.request(3);
  await run.switchModel('spare');
  open();
  expect((await run.result()).data).toEqual({ n: 1 });
  expect(await factsOf(run, 'model.downgraded')).toMatchObject([{ model: 'first' }]);
  expect(formats(spare)).toEqual(['json_schema']);
  await kit().replay(run);
});

it('a model to which the run is switched back is not refused again', async () => {
  const { open, opened } = newGate();
  const slow = async () => {
    await opened;
    return text('{"n":1}');
  };
  first.script(refused, refused, slow, text('{"n":2}'));
  const run = kit().conversation(talk, { id: 'back' });
  const one = await run.send('Hello?');
  await first.request(3);
  await run.switchModel('spare');
  open();
  await run.answerTo(one);
  await run.switchModel('first');
  await run.answerTo(await run.send('again'));
  await run.close();
  await run.result();
  expect(formats(first)).toEqual(['json_schema', 'json_object', undefined, undefined]);
});

it('calls of a plan are downgraded as others are: it is told, and kept', async () => {
  first.script(plans(step(1, 'Count')), call('count'), refused, refused, text('{"n":3}'));
  const run = kit().conversation(planner, { id: 'planned' });
  await run.answerTo(await run.send('go'));
  first.script(plans(step(1, 'Count')), call('count'), text('{"n":4}'));
  await run.answerTo(await run.send('go'));
  await run.close();
  await run.result();
  expect(await factsOf(run, 'model.downgraded')).toMatchObject([{ model: 'first' }]);
  expect(formats(first).filter((format) => format !== undefined)).toEqual(['json_schema', 'json_object']);
});

it('what an interrupted call has cost is of the model that was asked', async () => {
  first.script(text('a text that never ends', { fault: { kind: 'stall', after: 4 } }));
  spare.script(text('{"n":2}'));
  const run = kit().conversation(talk, { id: 'interrupted' });
  await run.send('Hello?');
  await first.request(1);
  await run.switchModel('spare');
  await run.steer('now', { when: 'now' });
  await run.answerTo({ exchange: 1 });
  await run.close();
  await run.result();
  expect((await factsOf(run, 'usage')).map(({ model }) => model)).toEqual(['first-model', 'spare-model']);
});

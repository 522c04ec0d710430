import { defineAgent, defineTool } from 'holdfast';
import { call, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../../facts';
import { newGate } from '../../gate';
import { stageOfModels } from './models-stage';

const look = defineTool({ description: 'Looks', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' });
const talk = defineAgent({ name: 'of.talk', model: 'first', mode: 'conversation', tools: { look } });
const writer = defineAgent({
  ...{ name: 'of.writer', model: 'first', mode: 'conversation' as const },
  ...{ tools: { look }, toolCalls: 'text' as const },
});

const inText = { mode: 'conversation' as const, tools: { look }, toolCalls: 'text' as const };
const auto = defineAgent({ name: 'of.auto', ...inText, model: 'first', modelSettings: { toolChoice: 'auto' } });
const chain = defineAgent({ name: 'of.chain', ...inText, model: ['first', 'spare'] });
const bare = defineAgent({ name: 'of.bare', model: 'first', mode: 'conversation', toolCalls: 'text' });
const forcing = defineAgent({ name: 'of.forcing', ...inText, model: 'forced' });

const { servers, kit } = stageOfModels({
  names: ['first', 'spare', 'forced', 'absent'],
  agents: [talk, writer, auto, chain, bare, forcing],
  configs: { forced: { toolChoice: 'required' }, absent: { toolChoice: { tool: 'absent' } } },
});
const { first, spare, forced, absent } = servers;
const LOOK = '<tool>{"server_name":"local","tool_name":"look","arguments":{}}</tool>';
const broken = fault({ kind: 'status', status: 401 });

it('a chosen model that has to call a tool is asked for one, once in each exchange', async () => {
  first.script(text('from the first'));
  forced.script(call('look'), text('seen'), call('look'), text('seen again'));
  const run = kit().conversation(talk, { id: 'forced' });
  await run.answerTo(await run.send('Hello?'));
  await run.switchModel('forced');
  await run.answerTo(await run.send('Look.'));
  // It goes on in a new history with what was chosen.
  await kit().temporal.client.workflow.getHandle(run.id).signal('continueAsNew');
  await run.answerTo(await run.send('And again.'));
  await run.close();
  await run.result();
  expect(first.requests.map(({ body }) => body.tool_choice)).toEqual([undefined]);
  expect(forced.requests.map(({ body }) => body.tool_choice)).toEqual(['required', undefined, 'required', undefined]);
  await kit().replay(run);
});

it('a chosen model that calls in text is reminded of the call that it has to make', async () => {
  first.script(text('from the first'));
  forced.script(text('I will look.'), text(LOOK), text('seen'));
  const run = kit().conversation(writer, { id: 'forced-in-text' });
  await run.answerTo(await run.send('Hello?'));
  await run.switchModel('forced');
  expect((await run.answerTo(await run.send('Look.'))).data).toBe('seen');
  await run.close();
  await run.result();
});

it.each([
  ['of an agent that leaves it to the model', auto, 'forced', () => forced.script(text('hi')), [1, 0, 0]],
  ['of an agent without tools', bare, 'forced', () => forced.script(text('hi')), [1, 0, 0]],
  ['that names a tool which the agent does not have', chain, 'absent', () => absent.script(text('hi')), [0, 1, 0]],
  [
    'that has failed, so that the next one of the chain answers',
    chain,
    'forced',
    () => [forced.script(broken), spare.script(text('hi'))],
    [1, 0, 1],
  ],
] as const)('no call in text is asked for by a chosen model %s', async (_what, agent, alias, script, requests) => {
  first.script(text('from the first'));
  script();
  const run = kit().conversation(agent, { id: `not-forced-${agent.name}-${alias}` });
  await run.answerTo(await run.send('Hello?'));
  await run.switchModel(alias);
  expect((await run.answerTo(await run.send('Say hi.'))).data).toBe('hi');
  expect([forced, absent, spare].map((server) => server.requests.length)).toEqual(requests);
  await run.close();
  await run.result();
  await kit().replay(run);
});

it('nor by a chosen model after one that had to call', async () => {
  forced.script(text(LOOK), text('seen'));
  first.script(text('hi'));
  const run = kit().conversation(forcing, { id: 'from-forced' });
  await run.answerTo(await run.send('Look.'));
  await run.switchModel('first');
  expect((await run.answerTo(await run.send('Say hi.'))).data).toBe('hi');
  await run.close();
  await run.result();
});

describe('a window that a refusal has taught', () => {
  const long = 'the quick brown fox jumps over the lazy dog. '.repeat(20);
  const tooLong = fault({ kind: 'status', status: 400, code: 'context_length_exceeded' });
  const sent = ({ requests }: typeof first) => requests.map(({ body }) => body.messages.length);

  it('is not that of a model which is chosen later: it gets the whole transcript', async () => {
    first.script(...Array.from({ length: 4 }, () => text(long)), tooLong, text('cut'));
    spare.script(text('whole'));
    const run = kit().conversation(talk, { id: 'window' });
    for (const _ of '01234') await run.answerTo(await run.send(long));
    await run.switchModel('spare');
    await run.answerTo(await run.send('And?'));
    const [most = 0, less = 0] = sent(first).slice(-2);
    expect(less).toBeLessThan(most);
    expect(sent(spare)).toEqual([most + 2]);
    expect((await run.state()).budget).not.toHaveProperty('total');
    await run.close();
    await run.result();
    await kit().replay(run);
  });

  it('nor that of one which is chosen during the call', async () => {
    const { open, opened } = newGate();
    const refused = async () => {
      await opened;
      return tooLong;
    };
    first.script(...Array.from({ length: 4 }, () => text(long)), refused);
    spare.script(text('whole'));
    const run = kit().conversation(talk, { id: 'window-meanwhile' });
    for (const _ of '0123') await run.answerTo(await run.send(long));
    const last = await run.send(long);
    await first.request(5);
    await run.switchModel('spare');
    open();
    await run.answerTo(last);
    expect(sent(spare)).toEqual(sent(first).slice(-1));
    await run.close();
    await run.result();
    expect(await factsOf(run, 'context.trimmed')).toEqual([]);
    await kit().replay(run);
  });
});

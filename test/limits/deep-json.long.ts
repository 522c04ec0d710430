import { defineAgent, defineTool, eventService, type ServiceEvent } from 'holdfast';
import type { ConversationHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { jsonText, rawCalls } from '../payloads/raw';
import { answerTo, outcomes, plain } from '../services/stage';
import { until } from '../until';

/** JSON with this many levels. */
const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const DEEPER = [201, 4300, 100_000];
const refused = (levels: number) => [`${levels} levels`, levels] as const;

const ran: number[] = [];
const sent: ServiceEvent[] = [];
const input = z.object({ list: z.array(z.any()) });
const give = z.object({ levels: z.number() });
const given = ({ levels }: { levels: number }): unknown => {
  ran.push(levels);
  return JSON.parse(nest(levels));
};
const agent = defineAgent({
  name: 'test.deep',
  instructions: 'deep',
  tools: {
    look: defineTool({
      description: 'Looks',
      effect: 'read',
      inputSchema: input,
      execute: ({ list }) => void ran.push(list.length),
    }),
    give: defineTool({ description: 'Gives', effect: 'read', inputSchema: give, execute: given }),
    pay: defineTool({ description: 'Pays', effect: 'once', inputSchema: give, execute: given }),
    edited: defineTool({
      description: 'Asks',
      effect: 'read',
      inputSchema: input,
      approval: 'always',
      execute: () => void ran.push(0),
    }),
  },
  services: { ask: eventService(plain, '1.0.0', { outlet: 'out' }) },
});
const shaped = defineAgent({ name: 'test.shaped', instructions: 'deep', outputSchema: input });
const chat = defineAgent({ name: 'deep.chat', mode: 'conversation', instructions: 'Help.' });

let kit: AgentTestEnvironment;
let raw: ReturnType<typeof rawCalls>;
beforeAll(async () => {
  const outlets = { out: (event: ServiceEvent) => void sent.push(event) };
  kit = await createAgentTestEnvironment({ agents: [agent, shaped, chat], outlets, server: 'dev' });
  raw = rawCalls(kit);
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  ran.length = 0;
  sent.length = 0;
});

/** Runs one call, and a second one after it; returns their results. */
async function told(name: string, args: string): Promise<{ [toolUseId: string]: string }> {
  kit.model.script(call(name, args), call('look', { list: [1] }), text('done'));
  const before = kit.model.requests.length;
  const run = await kit.start(agent, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  // Each answer was paid for only once.
  expect(kit.model.requests.length - before).toBe(3);
  await kit.replay(run);
  return outcomes(run);
}

describe('arguments of a call', () => {
  test('of 200 levels run', async () => {
    expect((await told('look', `{"list":${nest(199)}}`))['t1.1']).toBe('done');
    expect(ran).toEqual([1, 1]);
  });

  test.each(DEEPER.map(refused))('of %s are refused, and the next call runs', async (_, levels) => {
    const { 't1.1': first, 't2.1': second } = await told('look', `{"list":${nest(levels - 1)}}`);
    expect(first).toMatch(
      /^InvalidJson: .*The arguments are nested deeper than 200 levels\. Call the tool with flatter/s,
    );
    expect(second).toBe('done');
    expect(ran).toEqual([1]);
  });

  test('so are they as a text that contains JSON', async () => {
    expect((await told('look', JSON.stringify({ list: nest(201) })))['t1.1']).toMatch(/^InvalidArguments: .*list: /s);
    expect((await told('look', JSON.stringify({ list: nest(100_000) })))['t1.1']).toMatch(/^InvalidArguments: /);
    expect(ran).toEqual([1, 1]);
  });
});

describe('the result of a tool', () => {
  test('of 200 levels is told', async () => {
    expect((await told('give', '{"levels":200}'))['t1.1']).toBe(nest(200));
  });

  test.each(DEEPER.map(refused))(
    'of %s is an error which says that it ran, and it is not run again',
    async (_, levels) => {
      for (const name of ['give', 'pay']) {
        const { 't1.1': first } = await told(name, `{"levels":${levels}}`);
        expect(first).toMatch(/^ResultTooLarge: .*nested deeper than 200 levels.*The tool did run\./s);
      }
      expect(ran).toEqual([levels, 1, levels, 1]);
    },
  );
});

test.each(DEEPER.map(refused))('an output of %s is refused, and the model told', async (_, levels) => {
  kit.model.script(text(`{"list":${nest(levels - 1)}}`), text(`{"list":${nest(199)}}`));
  const { data } = await (await kit.start(shaped, { input: 'go' })).result();
  expect(JSON.stringify(data)).toBe(`{"list":${nest(199)}}`);
  expect(JSON.stringify(kit.model.requests[1]?.body)).toContain('nested deeper than 200 levels');
});

test('an output of 20,001 values is refused, and the model told', async () => {
  const list = (values: number) => `{"list":[${'0,'.repeat(values - 3)}0]}`;
  kit.model.script(text(list(20_001)), text(list(20_000)));
  const { data } = await (await kit.start(shaped, { input: 'go' })).result();
  expect(JSON.stringify(data)).toBe(list(20_000));
  expect(JSON.stringify(kit.model.requests[1]?.body)).toContain('Your answer is made of more than 20000 values.');
});

describe('the input of a run', () => {
  const start = async (field: 'input' | 'metadata', levels: number) => {
    const id = `deep-${field}-${levels}`;
    const value = field === 'input' ? nest(levels) : `{"a":${nest(levels - 1)}}`;
    await raw.start(id, agent.name, { input: { payloads: jsonText(`{"${field}":${value}}`) } });
    return kit.client.get(id);
  };

  test.each(['input', 'metadata'] as const)('%s of 200 levels', async (field) => {
    kit.model.script(text('done'));
    const run = await start(field, 200);
    expect((await run.result()).data).toBe('done');
    await kit.replay(run);
  });

  test.each((['input', 'metadata'] as const).flatMap((field) => DEEPER.map((levels) => [field, levels] as const)))(
    '%s of %i levels is refused by name, by the run and by the client',
    async (field, levels) => {
      const problem = { type: 'InvalidInput', message: expect.stringContaining('nested deeper than 200 levels') };
      const run = await start(field, levels);
      await expect(run.result()).rejects.toMatchObject(problem);
      expect(kit.model.requests).toHaveLength(0);
      const value = field === 'input' ? JSON.parse(nest(levels)) : { a: JSON.parse(nest(levels - 1)) };
      await expect(kit.start(agent, { input: 'go', [field]: value })).rejects.toMatchObject(problem);
    },
  );
});

describe('a command to a run', () => {
  const FORMS: [name: string, form: (deep: string) => string][] = [
    ['send', (deep) => `{"parts": [{"type": "text", "text": "x", "more": ${deep}}]}`],
    ['answer', (deep) => `{"questionId": "t1.1", "answer": ${deep}}`],
    ['edit', (deep) => `{"toolUseId": "t1.1", "by": "ann", "input": {"list": ${deep}}}`],
    ['rename', (deep) => `{"title": ${deep}}`],
  ];

  test.each(FORMS.flatMap(([name, form]) => DEEPER.map((levels) => [name, levels, form] as const)))(
    'the update and the signal `%s` with %i levels are refused and counted, and the run goes on',
    async (name, levels, form) => {
      const run = await kit.start(chat, { input: null });
      const payloads = jsonText(form(nest(levels)));
      const failure = await raw.update(run.id, name, payloads);
      expect(failure?.applicationFailureInfo?.type).toMatch(/^(InvalidMessage|InvalidDecision|UnreadablePayload)$/);
      expect(failure?.message).toContain('nested deeper than 200 levels');
      await raw.signal(run.id, name, payloads);
      await until(async () => Object.values((await run.state()).ignored).includes(1), 'the signal to be counted');
      await goesOn(run);
    },
  );

  test('a message of 200 levels is taken; the client refuses by name what no payload can carry', async () => {
    const run = await kit.start(chat, { input: null });
    kit.model.script(text('heard'));
    const part = (levels: number) => ({ type: 'text', text: 'x', more: JSON.parse(nest(levels)) });
    // Two levels are the list and the part.
    expect((await run.answerTo(await run.send([part(198)] as never))).data).toBe('heard');
    await expect(run.send([part(199)] as never)).rejects.toMatchObject({ type: 'InvalidMessage' });
    await expect(run.send([part(100_000)] as never)).rejects.toMatchObject({ type: 'InvalidMessage' });
    await goesOn(run);
  });

  async function goesOn(run: ConversationHandle<unknown>): Promise<void> {
    kit.model.script(text('still here'));
    expect((await run.answerTo(await run.send('hello'))).data).toBe('still here');
    await run.close();
    await run.result();
    await kit.replay(run);
  }
});

test('edited arguments of 200 levels run, deeper ones are refused', async () => {
  kit.model.script(call('edited', { list: [] }), text('done'));
  const run = await kit.start(agent, { input: 'go' });
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const edit = (levels: number) => run.edit(ask as never, { by: 'ann', input: { list: JSON.parse(nest(levels)) } });
  await expect(edit(200)).rejects.toMatchObject({
    type: 'InvalidDecision',
    message: expect.stringContaining('200 levels'),
  });
  await edit(199);
  expect((await run.result()).data).toBe('done');
  expect(ran).toEqual([0]);
  await kit.replay(run);
});

describe('the answer of a service', () => {
  test.each([
    ['serviceAnswer', 'InvalidEvent'],
    ['toolResult', 'InvalidToolResult'],
  ] as const)('by `%s`: deeper than 200 levels it is counted as %s, with 200 it is taken', async (signal, counted) => {
    kit.model.script(calls(['ask', { sku: 'a' }]), text('done'));
    const run = await kit.start(agent, { input: 'go' });
    await until(() => sent.length === 1, 'the call');
    const asked = sent[0] as ServiceEvent;
    const answer = (levels: number) => {
      const data = `{"left": 1, "more": ${nest(levels - 1)}}`;
      const event = JSON.stringify({ ...answerTo(asked, { data: { left: 1 } }), data: 'DATA' });
      return jsonText(
        signal === 'toolResult' ? `{"toolUseId": "t1.1", "data": ${data}}` : event.replace('"DATA"', data),
      );
    };
    for (const levels of DEEPER) await raw.signal(run.id, signal, answer(levels));
    await until(async () => (await run.state()).ignored.UnreadablePayload === 2, 'the deepest to be counted');
    expect((await run.state()).ignored).toEqual({ [counted]: 1, UnreadablePayload: 2 });
    await raw.signal(run.id, signal, answer(200));
    expect((await run.result()).data).toBe('done');
    expect((await outcomes(run))['t1.1']).toContain(nest(199));
    await kit.replay(run);
  });
});

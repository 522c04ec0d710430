import { type AiSdkEmbeddingModel, defineAgent } from 'holdfast';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { move } from '../chains/move';
import { factsOf } from '../facts';
import { OFFICE, toolsOf } from './desk';

const tools = toolsOf(OFFICE);
const all = { name: 'office.all', instructions: 'Help.', tools };
const clerk = defineAgent({
  ...all,
  name: 'office.clerk',
  toolFilter: { top: 3 },
  questions: { ask_owner: { description: 'Ask the owner of the shop', answer: z.string() } },
});
const small = defineAgent({ ...all, name: 'office.small', modelClass: 'small' });
const brief = defineAgent({
  ...all,
  name: 'office.brief',
  modelClass: 'small',
  toolFilter: { top: 2 },
  limits: { maxToolInteractions: 1 },
});
const written = defineAgent({ ...brief.definition, name: 'office.written', toolCalls: 'text' });
const wide = defineAgent({ ...all, name: 'office.wide', toolFilter: true });
const whole = defineAgent(all);
const chat = defineAgent({ ...all, name: 'office.chat', mode: 'conversation', toolFilter: { top: 2 } });
const quick = defineAgent({
  ...all,
  name: 'office.quick',
  toolFilter: { top: 2, always: ['water_plants'] },
  limits: { maxToolInteractions: 1 },
});
/** Finds a tool for what it is about, without a word in common. */
const words: AiSdkEmbeddingModel = {
  provider: 'test',
  modelId: 'words',
  async doEmbed({ values }: { values: string[] }) {
    return { embeddings: values.map((text) => (/thirsty|water/.test(text) ? [1, 0.1] : [0.1, 1])) };
  },
};
const meant = defineAgent({ ...all, name: 'office.meant', toolFilter: { top: 1, ranker: 'words' } });
const broken = defineAgent({ ...all, name: 'office.broken', toolFilter: { top: 2, ranker: 'down' } });
const lost = defineAgent({ ...all, name: 'office.lost', toolFilter: { top: 2, ranker: 'bm25' } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const agents = [clerk, small, brief, written, wide, whole, chat, quick, lost, meant, broken];
  const down = { baseUrl: 'http://127.0.0.1:9/v1', model: 'none' };
  kit = await createAgentTestEnvironment({ agents, contextWindow: 100_000, embeddings: { words, down } });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** Names of the tools that each request offered. */
function offered(): string[][] {
  return kit.model.requests.map(({ body }) => body.tools?.map(({ function: { name } }) => name) ?? []);
}

test('the model sees the tools that fit the request, those of the loop, and the search for the others', async () => {
  kit.model.script(call('refund_payment', { about: 'order 7' }), text('done'));
  const run = await kit.start(clerk, { input: 'Please refund the payment of my order 7' });
  await run.result();
  const [first = [], second] = offered();
  expect(first).toHaveLength(5);
  expect(first).toEqual(expect.arrayContaining(['refund_payment', 'find_order', 'ask_owner', 'search_tools']));
  expect(second).toEqual(first);
  const facts = (await factsOf(run)).filter(({ type }) => type === 'tools.offered');
  expect(facts).toMatchObject([
    { turn: 1, offered: 5, hidden: 9, ranker: 'bm25', saved: expect.any(Number) },
    { turn: 2, offered: 5, hidden: 9 },
  ]);
  const state = await run.state();
  // Only what was offered counts.
  expect(state.budget?.tools).toBeLessThan(state.toolsOffered?.saved ?? 0);
  expect(state.tools).toHaveLength(14);
  expect(state.toolsOffered).toMatchObject({ tools: first, hidden: 9 });
  expect(state.toolsOffered?.saved).toBeGreaterThan(100);
  await kit.replay(run);
});

test('a tool that a search finds is offered from then on, and so is one that was called', async () => {
  kit.model.script(
    call('search_tools', { query: 'weather in Rome' }),
    call('weather_forecast', { about: 'Rome' }),
    text('sunny'),
  );
  const run = await kit.start(clerk, { input: 'Please refund the payment of my order 7' });
  await run.result();
  const [first = [], second = [], third = []] = offered();
  expect(first).not.toContain('weather_forecast');
  expect(second).toContain('weather_forecast');
  expect(third).toContain('weather_forecast');
  expect(third.filter((name) => second.includes(name))).toEqual(third);
  const result = (await factsOf(run)).find(({ type }) => type === 'tool.result');
  // It only reads, so that it runs with the answer that calls it.
  expect(result).toMatchObject({ name: 'search_tools', ran: {} });
  expect(JSON.stringify(result)).toContain('- weather_forecast: Get the forecast of the weather for a city');
  expect(JSON.stringify(result)).not.toContain('refund_payment');
  await kit.replay(run);
});

test('a hidden tool that the model calls by its name runs, and is offered from then on', async () => {
  kit.model.script(call('water_plants', {}), text('done'));
  const run = await kit.start(clerk, { input: 'Please refund the payment of my order 7' });
  await run.result();
  const [first, second] = offered();
  expect(first).not.toContain('water_plants');
  expect(second).toContain('water_plants');
  expect(JSON.stringify(await run.transcript())).toContain('water_plants is done');
});

test.each([
  ['an agent without a filter', whole],
  ['a filter that has room for all tools', wide],
  ['a small model with few tools', small],
])('%s offers all tools, without a search', async (_, agent) => {
  kit.model.script(text('done'));
  const run = await kit.start(agent, { input: 'Refund it' });
  await run.result();
  expect(offered()).toEqual([Object.keys(OFFICE)]);
  expect(kit.model.requests[0]?.body.tools?.map(({ function: f }) => f.description)).toEqual(Object.values(OFFICE));
  const state = await run.state();
  expect(state.tools).toEqual(Object.keys(OFFICE));
  expect(state).not.toHaveProperty('toolsOffered');
  expect((await factsOf(run)).some(({ type }) => type === 'tools.offered')).toBe(false);
});

test('the concluding call offers the same tools as the one before it', async () => {
  kit.model.script(call('find_order', { about: '7' }), text('done'));
  const run = await kit.start(quick, { input: 'Find my order 7 and track the parcel' });
  await run.result();
  const [first, last] = offered();
  expect(first).toEqual(['find_order', 'track_parcel', 'water_plants', 'search_tools']);
  expect(last).toEqual(first);
  expect(kit.model.requests[1]?.body.tool_choice).toBe('none');
  await kit.replay(run);
});

test('the concluding call of a small model has no tools, and changes nothing of what is offered', async () => {
  kit.model.script(call('find_order', { about: '7' }), text('done'));
  const run = await kit.start(brief, { input: 'Find my order 7' });
  await run.result();
  expect(offered()[1]).toEqual([]);
  expect(JSON.stringify(kit.model.requests[1]?.body.messages)).toContain('find_order');
  expect((await factsOf(run)).filter(({ type }) => type === 'tools.offered')).toHaveLength(1);
  expect((await run.state()).toolsOffered?.tools).toContain('find_order');
  await kit.replay(run);
});

test('it repeats earlier calls in the form of its protocol', async () => {
  const tag = '<tool>{"server_name":"local","tool_name":"find_order","arguments":{"about":"7"}}</tool>';
  kit.model.script(text(tag), text('done'));
  const run = await kit.start(written, { input: 'Find my order 7' });
  await run.result();
  const { messages } = (await kit.model.request(2)).body;
  expect(messages.map(({ content }) => String(content)).join()).toContain(tag);
  expect(String(messages[0]?.content)).not.toContain('# Your tools');
});

test('a call that fails and is made again is ranked again, to the same tools', async () => {
  kit.model.script(fault({ kind: 'status', status: 500 }), text('done'));
  const run = await kit.start(lost, { input: 'Convert 7 euros into another currency' });
  await run.result();
  const [first, second] = offered();
  expect(first).toEqual(['translate_text', 'convert_currency', 'search_tools']);
  expect(second).toEqual(first);
  expect((await factsOf(run)).filter(({ type }) => type === 'tools.offered')).toHaveLength(1);
});

test('what a run has found and called goes with it into a new history', async () => {
  kit.model.script(
    call('search_tools', { query: 'plants' }),
    call('send_mail', {}),
    text('done'),
    text('the next answer'),
  );
  const run = await kit.conversation(chat, { id: 'many-tools' });
  await run.ask('Convert 7 euros into another currency');
  await move(kit, run);
  await run.ask('Which meeting rooms are free?');
  const last = offered().at(-1);
  expect(last).toEqual(
    expect.arrayContaining(['water_plants', 'send_mail', 'list_rooms', 'book_room', 'search_tools']),
  );
  expect(last).not.toContain('convert_currency');
  await run.close();
  await run.result().catch(() => undefined);
  await kit.replay(run);
});

test('an embedding model finds a tool by its meaning', async () => {
  kit.model.script(text('done'));
  const run = await kit.start(meant, { input: 'The ficus looks thirsty' });
  await run.result();
  expect(offered()).toEqual([['water_plants', 'search_tools']]);
  expect(await factsOf(run, 'tools.offered')).toMatchObject([{ ranker: 'words' }]);
});

test('an embedding model that is down costs a warning, not the run', async () => {
  kit.model.script(call('search_tools', { query: 'plants' }), text('done'));
  const run = await kit.start(broken, { input: 'Convert 7 euros into another currency' });
  expect((await run.result()).data).toBe('done');
  const [first = [], second = []] = offered();
  expect(first).toEqual(['translate_text', 'convert_currency', 'search_tools']);
  expect(second).toContain('water_plants');
  const problem = expect.stringMatching(/^http:\/\/127\.0\.0\.1:9: /);
  expect(await factsOf(run, 'tools.offered')).toMatchObject([
    { ranker: 'bm25', problem },
    { ranker: 'bm25', problem },
  ]);
  await kit.replay(run);
});

test('a search tells what to do where it finds nothing, or is not one', async () => {
  kit.model.script(
    call('search_tools', { query: 'xyzzy' }),
    call('search_tools', { query: ' ' }),
    call('search_tools', {}),
    text('done'),
  );
  const run = await kit.start(clerk, { input: 'Refund it' });
  await run.result();
  const results = [...(await factsOf(run, 'tool.result')), ...(await factsOf(run, 'tool.error'))];
  expect(results.map((fact) => ('content' in fact ? fact.content : fact.error.message))).toEqual([
    [{ type: 'text', text: expect.stringContaining('No further tool matches `xyzzy`') }],
    expect.stringContaining('needs a `query`'),
    expect.any(String),
  ]);
});

test('a search beside a call that has its own activity finds hidden tools only, and those stay', async () => {
  kit.model.script(
    calls(['search_tools', { query: 'refund the order, water the plants' }], ['send_mail']),
    text('done'),
  );
  const run = await kit.start(clerk, { input: 'Please refund the payment of my order 7' });
  await run.result();
  const [first = [], second = []] = offered();
  const result = (await factsOf(run, 'tool.result')).find(({ name }) => name === 'search_tools');
  expect(result).not.toHaveProperty('ran');
  const listed = JSON.stringify(result?.content);
  expect(listed).toContain('- water_plants: ');
  for (const name of first) expect(listed).not.toContain(`- ${name}: `);
  expect(second).toEqual(expect.arrayContaining(['water_plants', 'send_mail']));
  await kit.replay(run);
});

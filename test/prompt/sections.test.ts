import { defineAgent, defineTool, type TurnSectionArgs } from 'holdfast';
import {
  type AgentTestEnvironment,
  type ChatRequest,
  call,
  createAgentTestEnvironment,
  fault,
  text,
} from 'holdfast/testing';
import { z } from 'zod';
import { promptLines } from '../../cli/show/prompt/lines';
import { viewPrompt } from '../../cli/show/prompt/view';
import { closeAfterTest } from '../close-after-test';
import { factsOf, waitForFact } from '../facts';
import { newGate } from '../gate';

const look = defineTool({ description: 'Looks', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' });
const { open: release, opened: released } = newGate();
const given: TurnSectionArgs[] = [];
let searches = 0;

const desk = defineAgent({
  name: 'prompt.desk',
  instructions: 'BASE',
  tools: { look },
  prompt: {
    system: {
      chainOfThought: null,
      agentLoop: 'LOOP',
      capabilities: ({ agent, input, tools }) => `CAN ${agent.name} ${JSON.stringify(input)} ${tools.length}`,
      rules: { text: 'RULES', after: 'instructions' },
    },
    turn: {
      rag: async (args) => {
        given.push(args);
        return `RAG ${++searches} ${args.message}`;
      },
      planning: ({ turn }) => `PLAN ${turn}`,
      date: { text: 'DATE', before: 'planning' },
      callingRules: true,
    },
  },
});
const failing = defineAgent({
  name: 'prompt.failing',
  instructions: 'BASE',
  prompt: {
    timeout: 50,
    maxChars: 100,
    turn: {
      planning: () => {
        throw new Error('no index');
      },
      rag: () => new Promise<string>(() => {}),
      huge: () => 'x'.repeat(101),
      number: () => 7 as unknown as string,
      empty: () => undefined,
      kept: 'KEPT',
    },
  },
});
const repeats = defineAgent({
  name: 'prompt.repeats',
  instructions: 'BASE',
  tools: { look },
  prompt: {
    turn: {
      rag: 'RAG',
      userInput: ({ message }) => `ASKED ${message}`,
      last: { text: 'LAST', after: 'userInput' },
    },
  },
});
const still = defineAgent({
  name: 'prompt.still',
  instructions: 'BASE',
  tools: { look },
  prompt: { turn: { rag: 'SAME' } },
});
const waits = defineAgent({
  name: 'prompt.waits',
  instructions: 'BASE',
  mode: 'conversation',
  prompt: { turn: { rag: ({ message }) => `RAG for ${message}` } },
});
const gated = defineAgent({
  name: 'prompt.gated',
  instructions: 'BASE',
  prompt: {
    turn: {
      static: 'STATIC',
      rag: async ({ ctx }) => {
        await Promise.race([released, new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))]);
        return 'FOUND';
      },
    },
  },
});
const long = 'the quick brown fox '.repeat(900);
const narrow = defineAgent({
  name: 'prompt.narrow',
  instructions: 'BASE',
  prompt: { turn: { rag: long, planning: 'PLAN' } },
});
const plain = defineAgent({ name: 'prompt.plain', instructions: 'BASE', tools: { look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk, failing, repeats, still, waits, gated, plain] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const sent = (at: number, of = kit): string[] => {
  const request = of.model.requests[at]?.body as ChatRequest | undefined;
  return (request?.messages ?? []).map(({ role, content }) => `${role}: ${content}`);
};
const RULES = 'Call a tool only by its exact name';
const shown = async (id: string, turn?: number, of = kit) => {
  const view = await viewPrompt(of.client.temporal, id, { turn, models: {}, workerTimeout: 5000 });
  return { view, lines: view === undefined ? [] : promptLines(view) };
};

test('sections are sent in order: those of the system prompt once, those of the turn at the end of each request', async () => {
  kit.model.script(call('look', {}), text('done'));
  const run = await kit.start(desk, { input: 'where?', owner: 'ann' });
  expect((await run.result()).data).toBe('done');
  const [system, user] = sent(0);
  expect(system).toBe('system: BASE\n\nRULES\n\nLOOP\n\nCAN prompt.desk "where?" 1');
  expect(user).toMatch(new RegExp(`^user: ${RULES}[^]*\n\nDATE\n\nPLAN 1\n\nRAG 1 where\\?\n\nwhere\\?$`));
  const second = sent(1);
  // What the first call sent of the turn is gone, and the history before it is as in the transcript.
  expect(second.slice(0, 2)).toEqual([system, 'user: where?']);
  expect(second.at(-2)).toBe('tool: seen');
  expect(second.at(-1)).toMatch(/PLAN 2\n\nRAG 2 where\?$/);
  expect(given[1]).toMatchObject({
    turn: 2,
    lifecycle: 'tool_result',
    agent: { name: 'prompt.desk' },
    ctx: { owner: 'ann' },
  });
  expect(JSON.stringify(await run.transcript())).not.toMatch(/RAG|PLAN|DATE/);
  const facts = await factsOf(run, 'prompt.sections');
  expect(facts.map(({ turn, sections }) => [turn, sections])).toEqual([
    [1, ['callingRules', 'date', 'planning', 'rag']],
    [2, ['callingRules', 'date', 'planning', 'rag']],
  ]);
  expect(facts[0]?.hash).not.toBe(facts[1]?.hash);
  await kit.replay(run);
});

test('a section that fails, is late, too long or not a text is left out, and a fact says why', async () => {
  kit.model.script(text('done'));
  const run = await kit.start(failing, { input: 'hi' });
  expect((await run.result()).data).toBe('done');
  expect(sent(0).at(-1)).toBe('user: KEPT\n\nhi');
  const facts = await factsOf(run, 'prompt.section.failed');
  expect(facts.map(({ section, error }) => [section, error.type, error.message])).toEqual([
    ['planning', 'SectionFailed', 'Its function failed: no index'],
    ['rag', 'SectionTimedOut', 'Its function gave no text in 0.05 s.'],
    ['huge', 'SectionTooLarge', 'It has 101 characters, more than the limit of 100.'],
    ['number', 'SectionFailed', 'Its function returned no text. Return a string, or undefined to leave it out.'],
  ]);
  await kit.replay(run);
});

test('a text for the user input is sent in place of the message, and repeated after results', async () => {
  kit.model.script(call('look', {}), text('done'));
  const run = await kit.start(repeats, { input: 'where?' });
  await run.result();
  expect(sent(0).slice(1)).toEqual(['user: RAG\n\nASKED where?\nLAST']);
  expect(sent(1).at(-1)).toBe('user: RAG\n\nASKED where?\n\nLAST');
});

test('a call that is repeated makes its sections again', async () => {
  searches = 0;
  kit.model.script(fault({ kind: 'status', status: 503 }), text('done'));
  const run = await kit.start(desk, { input: 'where?' });
  await run.result();
  expect(sent(0).at(-1)).toContain('RAG 1');
  expect(sent(1).at(-1)).toContain('RAG 2');
  expect(await factsOf(run, 'prompt.sections')).toHaveLength(1);
});

test('sections count as part of the window, and one that does not fit is left out', async () => {
  const small = closeAfterTest(await createAgentTestEnvironment({ agents: [narrow], contextWindow: 4000 }));
  small.model.script(text('done'));
  const run = await small.start(narrow, { input: 'hi' });
  expect((await run.result()).data).toBe('done');
  expect(sent(0, small).at(-1)).toBe('user: PLAN\n\nhi');
  const [left] = await factsOf(run, 'prompt.section.failed');
  expect(left).toMatchObject({ section: 'rag', error: { type: 'SectionTooLarge' } });
  const [budget] = await factsOf(run, 'budget.context');
  expect(budget?.sections).toBeGreaterThan(0);
});

test('an agent without a prompt sends what it always sent', async () => {
  kit.model.script(text('done'));
  const run = await kit.start(plain, { input: 'hi' });
  await run.result();
  expect(sent(0)).toEqual(['system: BASE', 'user: hi']);
  expect(await factsOf(run, 'prompt.sections')).toEqual([]);
});

test('`show --prompt` prints what was sent in the last call, and in an earlier one', async () => {
  kit.model.script(call('look', {}), text('done'));
  const run = await kit.start(still, { input: 'hi' });
  await run.result();
  for (const turn of [1, 2]) {
    const { view } = await shown(run.id, turn);
    const request = kit.model.requests[turn - 1]?.body as ChatRequest;
    expect(view).toMatchObject({ turn, state: 'sent', tools: ['look'], sections: { names: ['rag'] } });
    expect(view?.messages).toHaveLength(request.messages.length - 1);
    expect(view?.system).toBe(request.messages[0]?.content);
  }
  const { lines, view } = await shown(run.id);
  expect(view?.turn).toBe(2);
  // Its text came back with the first call only.
  expect(lines.join('\n')).toMatch(/\n\ntool\n {2}← \S+ look\n {2}seen\n\nuser\n {2}SAME$/);
  expect((await shown(run.id, 9)).view).toBeUndefined();
});

test('`show --prompt` of a call in progress names the sections whose functions are not done', async () => {
  kit.model.script(text('done'));
  const run = await kit.start(gated, { input: 'hi' });
  await waitForFact(run, 'loop.iteration');
  const { view } = await shown(run.id);
  expect(view).toMatchObject({ turn: 1, state: 'sending', sections: { names: ['static'], unknown: ['rag'] } });
  release();
  await run.result();
  expect((await shown(run.id)).view).toMatchObject({ state: 'sent', sections: { names: ['rag', 'static'] } });
});

test('before its first message a conversation shows what would be sent', async () => {
  const chat = await kit.start(waits, { input: null });
  await waitForFact(chat, 'loop.start');
  const { lines } = await shown(chat.id);
  expect(lines).toEqual([
    'turn 1, default, not called yet',
    'sections  none',
    '! rag: its function runs with the call',
    '! The model `default` is not in the configuration here: what is special to it is not shown.',
    '',
    'system',
    expect.stringMatching(/^ {2}BASE/),
    expect.anything(),
    expect.anything(),
    expect.anything(),
    expect.anything(),
    expect.anything(),
    expect.anything(),
  ]);
  await chat.close();
});

test('a conversation that goes on in a new history has its sections, and its last prompt can be read', async () => {
  const server = closeAfterTest(await createAgentTestEnvironment({ agents: [waits], server: 'dev' }));
  server.model.script(text('one'), text('two'));
  const chat = server.conversation(waits, { id: 'prompt-moves', taskQueue: server.taskQueue });
  await chat.ask('first');
  await chat.continueAsNew();
  await waitForFact(chat, 'run.continued');
  expect((await shown(chat.id, undefined, server)).view).toMatchObject({
    turn: 1,
    state: 'sent',
    sections: { names: ['rag'] },
  });
  await chat.ask('second');
  expect(sent(1, server).at(-1)).toBe('user: RAG for second\n\nsecond');
  const { view } = await shown(chat.id, undefined, server);
  expect(JSON.stringify(view?.messages)).toContain('RAG for second');
  await chat.close();
  await chat.result();
});

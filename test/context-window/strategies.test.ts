import { type CompactArgs, defineAgent, defineTool } from 'holdfast';
import {
  type AgentTestEnvironment,
  type ChatRequest,
  call,
  createAgentTestEnvironment,
  fault,
  text,
} from 'holdfast/testing';
import { z } from 'zod';
import { factsOf, waitForFact } from '../facts';
import { callsOf, fetch, readPages } from './pages';
import { asksForSummary, linesOf, tokensOf } from './tokens';

const WINDOW = 8000;
const ROUNDS = 20;

const given: CompactArgs[] = [];
const about = { instructions: 'Read on.', tools: { fetch }, limits: { maxToolInteractions: 60 } } as const;
const lines = defineAgent({ name: 'window.lines', ...about, context: { strategy: 'tool-results', keep: 4 } });
const own = defineAgent({
  name: 'window.own',
  ...about,
  context: {
    strategy: (args) => {
      given.push(args);
      return `OWN ${given.length}`;
    },
  },
});
const broken = defineAgent({
  name: 'window.broken',
  ...about,
  context: {
    strategy: () => {
      throw new Error('no idea');
    },
  },
});
const reader = defineAgent({ name: 'window.reader', ...about, context: { strategy: 'summarise', keep: 4 } });
const huge = defineTool({
  description: 'Returns a text of 17 KB',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => 'the quick brown fox jumps over the lazy dog. '.repeat(390),
});
const filled = defineAgent({ name: 'window.filled', instructions: 'Read on.', tools: { huge } });
const never = defineAgent({ name: 'window.never', instructions: 'Read on.', tools: { huge }, context: { wrapUp: 0 } });
/** Calls the tool, with the usage that a server would report. */
const callHuge = ({ request }: { request: ChatRequest }) => ({
  ...call('huge', {}),
  usage: { prompt: tokensOf(request), completion: 20 },
});
const typed = defineAgent({
  name: 'window.typed',
  instructions: 'Read on.',
  tools: { huge },
  outputSchema: z.object({ sum: z.number() }),
});

describe('with a window of 8,000 tokens', () => {
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    const agents = [lines, own, broken, reader, filled, never, typed];
    kit = await createAgentTestEnvironment({ agents, contextWindow: WINDOW });
  });
  afterAll(() => kit.close());
  afterEach(() => kit.model.reset());

  it('`tool-results`: old results become one line each, and their calls stay', async () => {
    readPages(kit, { rounds: ROUNDS });
    const run = await kit.start(lines, { input: 'read' });
    expect((await run.result()).data).toBe('read it all');
    const last = callsOf(kit).at(-1);
    const results = linesOf(last as ChatRequest).filter((line) => line.startsWith('tool: '));
    expect(results[0]).toMatch(/^tool: \[result t\d+\.1, 2051 characters, removed to save space\./);
    expect(results.at(-1)).toMatch(/^tool: R19 the quick/);
    expect(results.length).toBeGreaterThan(15);
    expect(kit.model.requests.some(({ body }) => asksForSummary(body))).toBe(false);
    const facts = await factsOf(run, 'context.compacted');
    expect(facts.length).toBeGreaterThanOrEqual(2);
    expect(facts.map(({ method }) => method)).toEqual(facts.map(() => 'tool-results'));
    expect(JSON.stringify(await run.transcript())).not.toContain('removed to save space');
    await kit.replay(run);
  });

  it('a function of the agent gets what its text replaces, and its own last text', async () => {
    given.length = 0;
    readPages(kit, { rounds: ROUNDS });
    const run = await kit.start(own, { input: 'read', owner: 'ann' });
    expect((await run.result()).data).toBe('read it all');
    expect(given.length).toBeGreaterThanOrEqual(2);
    expect(given.map(({ summary }) => summary)).toEqual(given.map((_, n) => (n === 0 ? undefined : `OWN ${n}`)));
    expect(given[0]?.ctx).toMatchObject({ id: run.id, owner: 'ann' });
    const covered = given.flatMap(({ messages }) => messages);
    expect(covered).toEqual((await run.transcript()).slice(0, covered.length));
    expect(linesOf(callsOf(kit).at(-1) as ChatRequest)[1]).toContain(`OWN ${given.length}`);
    await kit.replay(run);
  });

  it('a function that throws is told of, and old messages are left out', async () => {
    readPages(kit, { rounds: ROUNDS });
    const run = await kit.start(broken, { input: 'read' });
    expect((await run.result()).data).toBe('read it all');
    const [failed] = await factsOf(run, 'context.summary.failed');
    expect(failed?.error.message).toBe('`context.strategy` failed: no idea');
  });

  it('a server that enforces its window by counting refuses nothing', async () => {
    let refused = 0;
    const before = (request: ChatRequest) => {
      // The answer has to fit as well.
      if (tokensOf(request) + 1000 <= WINDOW) return undefined;
      refused++;
      return fault({ kind: 'status', status: 400, code: 'context_length_exceeded' });
    };
    readPages(kit, { rounds: ROUNDS, before });
    const run = await kit.start(reader, { input: 'read' });
    expect((await run.result()).data).toBe('read it all');
    expect(refused).toBe(0);
  });

  it('the model concludes without tools when not even the next turn would fit', async () => {
    kit.model.script(callHuge, text('what I know so far'));
    const run = await kit.start(filled, { input: 'read' });
    expect((await run.result()).data).toBe('what I know so far');
    const last = kit.model.requests.at(-1)?.body;
    expect(last?.tool_choice).toBe('none');
    expect(last?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/^The context window/),
    });
    const [full] = await factsOf(run, 'context.full');
    expect(full).toMatchObject({ turn: 2, left: expect.any(Number) });
    expect(full?.left).toBeLessThan(1500);
    expect(await run.state()).toMatchObject({ turn: 2, toolInteractions: { current: 1 } });
    await kit.replay(run);
  });

  it('which can be switched off', async () => {
    kit.model.script(callHuge, text('done'));
    const run = await kit.start(never, { input: 'read' });
    await run.result();
    expect(kit.model.requests.at(-1)?.body.tool_choice).toBeUndefined();
  });

  it('a conclusion that is not a valid output ends the run by name', async () => {
    kit.model.script(callHuge, text('no JSON'));
    const run = await kit.start(typed, { input: 'read' });
    await expect(run.result()).rejects.toMatchObject({
      type: 'ModelContextTooLong',
      message: expect.stringContaining('the window was almost full, and the last answer gave no valid output'),
    });
    await kit.replay(run);
  });
});

test('a call that the server refuses as too long is compacted before it is made again', async () => {
  const kit = await createAgentTestEnvironment({ agents: [reader] });
  try {
    const before = (request: ChatRequest) => {
      const asked = tokensOf(request);
      const message = `request (${asked} tokens) exceeds the available context size (6000 tokens), try increasing it`;
      return asked > 6000 ? fault({ kind: 'status', status: 400, message }) : undefined;
    };
    readPages(kit, { rounds: ROUNDS, before });
    const run = await kit.start(reader, { input: 'read' });
    expect((await run.result()).data).toBe('read it all');
    const facts = await factsOf(run);
    expect(facts.find(({ type }) => type === 'context.compacted' || type === 'context.trimmed')?.type).toBe(
      'context.compacted',
    );
    expect((await run.state()).budget).toMatchObject({ total: 6000, summary: expect.any(Number) });
    expect(linesOf(callsOf(kit).at(-1) as ChatRequest)[1]).toContain('SUMMARY');
    await kit.replay(run);
    expect(await waitForFact(run, 'context.compacted')).toMatchObject({ method: 'summarise' });
  } finally {
    await kit.close();
  }
});

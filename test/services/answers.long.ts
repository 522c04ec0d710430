import fc from 'fast-check';
import { agentService, defineAgent, defineTool, eventService, type ServiceEvent, signalService } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { waitForFact } from '../facts';
import { until } from '../until';
import { answerTo, endOf, expectWhole, outcomes, plain } from './stage';

const RUNS = 2;
const CALLS = 50;
const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 2 ** 31);

const KINDS = ['look', 'quick', 'ask', 'ask', 'post', 'post', 'mate', 'lost', 'wrong'] as const;
type Kind = (typeof KINDS)[number];

const tool = (placement: 'activity' | 'inline') =>
  defineTool({
    description: 'Looks',
    effect: 'read',
    placement,
    inputSchema: z.object({ sku: z.string() }),
    execute: ({ sku }) => `seen ${sku}`,
  });
const mate = defineAgent({ name: 'test.mate', inputSchema: z.object({ sku: z.string() }), instructions: 'mate' });
const agent = defineAgent({
  name: 'test.many',
  instructions: 'many',
  tools: { look: tool('activity'), quick: tool('inline') },
  services: {
    ask: signalService(plain, '1.0.0'),
    post: eventService(plain, '1.0.0', { outlet: 'post' }),
    mate: agentService(mate),
  },
});

const sent = new Map<string, ServiceEvent>();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  console.info(`HOLDFAST_SEED=${seed}`);
  const outlets = { post: (event: ServiceEvent) => void sent.set(`${event.subject} ${event.id}`, event) };
  kit = await createAgentTestEnvironment({ agents: [agent, mate], outlets });
});
afterAll(() => kit.close());

/** The messages about a call that a program outside answers: first the valid answer, then late ones. */
type Message = 'answer' | 'error' | 'double' | 'stranger';

interface Batch {
  kinds: Kind[];
  /** The order in which the calls are answered, and the other messages beside the answers. */
  messages: { rank: number; what: 'answer' | 'error'; double: boolean; stranger: boolean }[];
}

const batch: fc.Arbitrary<Batch> = fc.record({
  kinds: fc
    .array(fc.constantFrom(...KINDS), { minLength: CALLS, maxLength: CALLS })
    .map((kinds): Kind[] => ['ask', ...kinds.slice(1)]),
  messages: fc.array(
    fc.record({
      rank: fc.nat(),
      what: fc.constantFrom('answer' as const, 'answer' as const, 'error' as const),
      double: fc.boolean(),
      stranger: fc.boolean(),
    }),
    { minLength: CALLS, maxLength: CALLS },
  ),
});

function argumentsOf(kind: Kind, n: number): [string, { [field: string]: string | number }] {
  if (kind === 'lost') return ['nowhere', { sku: `${n}` }];
  if (kind === 'wrong') return ['ask', { sku: n }];
  return [kind, { sku: `${n}` }];
}

/** The results that the model has to be told. */
function expected({ kinds, messages }: Batch): { [toolUseId: string]: unknown } {
  return Object.fromEntries(
    kinds.map((kind, i) => {
      const n = i + 1;
      const failed = messages[i]?.what === 'error';
      const of: { [K in Kind]: unknown } = {
        look: `seen ${n}`,
        quick: `seen ${n}`,
        mate: `mate of ${n}`,
        lost: expect.stringMatching(/^UnknownTool: /),
        wrong: expect.stringMatching(/^InvalidArguments: /),
        ask: failed ? `ServiceFailed: \`ask\` failed: no ${n}` : `{"left":${n}}`,
        post: failed ? `ServiceFailed: \`post\` failed: Error: no ${n}` : `{"left":${n}}`,
      };
      return [`t1.${n}`, of[kind]];
    }),
  );
}

async function check(given: Batch): Promise<void> {
  const { kinds, messages } = given;
  kit.model.reset();
  sent.clear();
  const mates = kinds.filter((kind) => kind === 'mate').length;
  const all = calls(...kinds.map((kind, i) => argumentsOf(kind, i + 1)));
  kit.model.script(
    ...Array.from({ length: mates + 2 }, () => ({ request }: { request: { messages: object[] } }) => {
      const [system, user, more] = request.messages as { content?: string }[];
      if (system?.content === 'mate')
        return text(`mate of ${(JSON.parse(user?.content ?? '') as { sku: string }).sku}`);
      return more === undefined ? all : text('done');
    }),
  );
  const run = await kit.start(agent, { input: 'go' });
  const remote = kinds.flatMap((kind, i) => (kind === 'ask' || kind === 'post' ? [i + 1] : []));
  const events = kinds.filter((kind) => kind === 'post').length;
  await waitForFact(run, 'service.called', remote.length + mates);
  await until(() => sent.size === events, 'the events');
  const refs = new Map((await run.waiting()).services.map(({ toolUseId, ref }) => [toolUseId, ref]));

  const send = (n: number, message: Message) => {
    const isEvent = kinds[n - 1] === 'post';
    const left = message === 'double' ? 1000 + n : n;
    if (!isEvent) {
      const toolUseId = message === 'stranger' ? `t7.${n}` : `t1.${n}`;
      const answer = message === 'error' ? { error: `no ${n}` } : { data: { left } };
      return run.workflow.signal('toolResult', { toolUseId, ...answer });
    }
    const asked = sent.get(`${run.id} ${refs.get(`t1.${n}`)}`) as ServiceEvent;
    const failed = { type: 'sys.com.stock.plain.error', data: { errorName: 'Error', errorMessage: `no ${n}` } };
    const event = answerTo(asked, message === 'error' ? failed : { data: { left } });
    return run.workflow.signal('serviceAnswer', message === 'stranger' ? { ...event, parentid: `x/t1.${n}` } : event);
  };
  const order = [...remote].sort((a, b) => (messages[a - 1]?.rank ?? 0) - (messages[b - 1]?.rank ?? 0));
  // Messages beside the last answer might arrive after the end of the run.
  const last = order.pop() as number;
  const sending: Promise<void>[] = [];
  const ignored = { StrangeAnswer: 0, DoubleAnswer: 0 };
  for (const n of order) {
    const { what = 'answer', double, stranger } = messages[n - 1] ?? {};
    if (stranger) sending.push(send(n, 'stranger'));
    await send(n, what);
    if (double) sending.push(send(n, 'double'));
    ignored.StrangeAnswer += stranger ? 1 : 0;
    ignored.DoubleAnswer += double ? 1 : 0;
  }
  await Promise.all(sending);
  await send(last, messages[last - 1]?.what ?? 'answer');

  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual(expected(given));
  const counted = Object.entries(ignored).filter(([, count]) => count > 0);
  expect((await run.state()).ignored).toEqual(Object.fromEntries(counted));
  const results = (await run.transcript()).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? [part.toolUseId] : [])),
  );
  expect(results).toEqual(kinds.map((_, i) => `t1.${i + 1}`));
  await expectWhole(kit, run);
}

it('gives each of fifty calls its own answer, whatever else arrives and in any order', async () => {
  await fc.assert(fc.asyncProperty(batch, check), { seed, numRuns: RUNS, endOnFailure: true });
});

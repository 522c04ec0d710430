import { defineAgent, defineTool, type Fact, type HoldfastError } from 'holdfast';
import { type AgentTestEnvironment, type ChatRequest, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../../facts';

const args = z.object({ n: z.number() });
/** The calls that have run. */
export const ran: string[] = [];

const look = defineTool({
  description: 'Look',
  inputSchema: args,
  effect: 'read',
  execute: ({ n }) => {
    ran.push(`look ${n}`);
    return `seen ${n}`;
  },
});
const peek = defineTool({ ...look, description: 'Peek', placement: 'inline' });
const set = defineTool({
  description: 'Set',
  inputSchema: args,
  execute: ({ n }) => {
    ran.push(`set ${n}`);
    return 'set';
  },
});
const fail = defineTool({
  description: 'Fail',
  inputSchema: args,
  effect: 'read',
  execute: ({ n }) => {
    ran.push(`fail ${n}`);
    throw new Error(`no ${n}`);
  },
});
const crash = defineTool({ ...fail, description: 'Crash', placement: 'inline' });

const tools = { look, peek, set, fail, crash };
export const small = defineAgent({ name: 'breakers.small', modelClass: 'small', tools });
export const plain = defineAgent({ name: 'breakers.plain', tools });
export const strict = defineAgent({ name: 'breakers.strict', tools, breakers: { identicalFailures: 2 } });
export const schema = defineAgent({ name: 'breakers.schema', tools, modelClass: 'small', outputSchema: args });
export const fallback = defineAgent({
  name: 'breakers.fallback',
  ...{ tools, modelClass: 'small', outputSchema: args, fallbackAnswer: { n: 0 } },
});
export const talk = defineAgent({ name: 'breakers.talk', mode: 'conversation', modelClass: 'small', tools });
export const asker = defineAgent({ name: 'breakers.asker', modelClass: 'small', tools, loopTools: ['ask_question'] });

interface Ended {
  data?: unknown;
  error?: HoldfastError;
  facts: readonly Fact[];
}

/** A test environment for all of these agents. It opens before the tests of the file and closes after them. */
export function openBreakers() {
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    kit = await createAgentTestEnvironment({ agents: [small, plain, strict, schema, fallback, talk, asker] });
  });
  afterAll(() => kit.close());
  afterEach(() => {
    kit.model.reset();
    ran.length = 0;
  });
  return {
    get kit() {
      return kit;
    },
    /** A run to its end, with its facts. Its history replays. */
    async ended(agent: { name: string }): Promise<Ended> {
      const run = await kit.start(agent as typeof plain, { input: 'go' });
      const how = await run.result().then(
        ({ data }) => ({ data }),
        (error: HoldfastError) => ({ error }),
      );
      await kit.replay(run);
      return { ...how, facts: await factsOf(run) };
    },
  };
}

/** What breakers did, in order. */
export const breakersIn = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (/^(breaker|answer)\./.test(fact.type) ? [fact.type] : []));

type Step = Parameters<AgentTestEnvironment['model']['script']>[0];
export const times = (n: number, ...steps: Step[]): Step[] => Array.from({ length: n }, () => steps).flat();
/** What the model read last. */
export const lastMessage = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);

/** A step that says something, and keeps what it was asked. */
export function saying(said: string): { step: Step; asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  const step: Step = ({ request }) => {
    asked.push(request);
    return text(said);
  };
  return { step, asked };
}

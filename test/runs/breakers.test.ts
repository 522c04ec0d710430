import { defineAgent, defineTool, type Fact, type HoldfastError } from 'holdfast';
import {
  type AgentTestEnvironment,
  type ChatRequest,
  call,
  calls,
  createAgentTestEnvironment,
  text,
} from 'holdfast/testing';
import { z } from 'zod';
import { move } from '../chains/move';
import { factsOf, waitForFact } from '../facts';

const args = z.object({ n: z.number() });
let ran: string[] = [];

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
const small = defineAgent({ name: 'breakers.small', modelClass: 'small', tools });
const plain = defineAgent({ name: 'breakers.plain', tools });
const strict = defineAgent({ name: 'breakers.strict', tools, breakers: { identicalFailures: 2 } });
const schema = defineAgent({ name: 'breakers.schema', tools, modelClass: 'small', outputSchema: args });
const fallback = defineAgent({
  name: 'breakers.fallback',
  ...{ tools, modelClass: 'small', outputSchema: args, fallbackAnswer: { n: 0 } },
});
const talk = defineAgent({ name: 'breakers.talk', mode: 'conversation', modelClass: 'small', tools });
const asker = defineAgent({ name: 'breakers.asker', modelClass: 'small', tools, loopTools: ['ask_question'] });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [small, plain, strict, schema, fallback, talk, asker] });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  ran = [];
});

interface Ended {
  data?: unknown;
  error?: HoldfastError;
  facts: readonly Fact[];
}

/** A run to its end, with its facts. Its history replays. */
async function ended(agent: { name: string }): Promise<Ended> {
  const run = await kit.start(agent as typeof plain, { input: 'go' });
  const how = await run.result().then(
    ({ data }) => ({ data }),
    (error: HoldfastError) => ({ error }),
  );
  await kit.replay(run);
  return { ...how, facts: await factsOf(run) };
}

const breakersIn = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (/^(breaker|answer)\./.test(fact.type) ? [fact.type] : []));

type Step = Parameters<typeof kit.model.script>[0];
const times = (n: number, ...steps: Step[]): Step[] => Array.from({ length: n }, () => steps).flat();
/** What the model read last. */
const lastMessage = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);

/** A step that says something, and keeps what it was asked. */
function saying(said: string): { step: Step; asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  const step: Step = ({ request }) => {
    asked.push(request);
    return text(said);
  };
  return { step, asked };
}

describe('every agent', () => {
  test.each(['fail', 'crash'])(
    'a call of `%s` that always fails is told, refused, and then concludes',
    async (name) => {
      const last = saying('It cannot be done');
      kit.model.script(...times(6, call(name, { n: 1 })), last.step);
      const { data, facts } = await ended(plain);
      expect(data).toBe('It cannot be done');
      expect(ran).toHaveLength(5);
      expect(breakersIn(facts)).toEqual(['breaker.failing', 'breaker.skipped', 'breaker.stopped']);
      // The tools stay, for the provider's cache.
      expect(last.asked[0]?.tools).toHaveLength(5);
      expect(last.asked[0]?.tool_choice).toBe('none');
      expect(lastMessage(last.asked[0] as ChatRequest)).toContain('You repeat the same call');
    },
  );

  test.each([
    ['an unknown tool', call('nowhere', { n: 1 })],
    ['arguments that do not fit', call('look', { n: 'x' })],
    ['arguments that are not JSON', call('look', 'not json')],
  ])('%s, again and again, ends in the same way', async (_what, step) => {
    kit.model.script(...times(6, step), text('Sorry'));
    const { data, facts } = await ended(plain);
    expect(data).toBe('Sorry');
    expect(breakersIn(facts).at(-1)).toBe('breaker.stopped');
  });

  test('a model that was told once is stopped at once when it does the same with another call', async () => {
    kit.model.script(...times(5, call('fail', { n: 1 })), ...times(5, call('fail', { n: 2 })), text('Enough'));
    const { data, facts } = await ended(plain);
    expect(data).toBe('Enough');
    expect(breakersIn(facts)).toEqual(['breaker.failing', 'breaker.stopped']);
  });

  test('four failures, a success, other arguments, and repeated successes change nothing', async () => {
    const last = saying('done');
    kit.model.script(
      ...[...times(4, call('fail', { n: 1 })), call('look', { n: 1 }), ...times(4, call('fail', { n: 1 }))],
      ...[...times(6, call('look', { n: 1 })), call('fail', { n: 2 }), call('fail', { n: 3 })],
      last.step,
    );
    const { facts } = await ended(plain);
    expect(breakersIn(facts)).toEqual([]);
    expect(last.asked[0]?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('an agent may set the number', async () => {
    kit.model.script(...times(3, call('fail', { n: 1 })), text('no'));
    expect((await ended(strict)).data).toBe('no');
    expect(ran).toHaveLength(2);
  });

  test('a conclusion that is not valid fails the run with its reason', async () => {
    kit.model.script(...times(3, call('fail', { n: 1 })), text(''));
    expect((await ended(strict)).error).toMatchObject({ type: 'NoProgress', data: { why: 'repeating' } });
  });
});

describe('small models', () => {
  test('a call that was just made is skipped; twice in a row, and the model concludes without tools', async () => {
    const last = saying('I saw it');
    kit.model.script(...times(3, call('look', { n: 1 })), last.step);
    const { data, facts } = await ended(small);
    expect(data).toBe('I saw it');
    expect(ran).toEqual(['look 1']);
    expect(breakersIn(facts)).toEqual(['breaker.skipped', 'breaker.skipped', 'breaker.stopped']);
    expect(last.asked[0]).not.toHaveProperty('tools');
    expect(last.asked[0]).not.toHaveProperty('tool_choice');
  });

  test('two calls that alternate are the same calls again, also those that run with the answer', async () => {
    kit.model.script(...times(2, call('peek', { n: 1 }), call('peek', { n: 2 })), text('Both seen'));
    const { data, facts } = await ended(small);
    expect(data).toBe('Both seen');
    expect(ran).toEqual(['look 1', 'look 2']);
    expect(breakersIn(facts)).toEqual(['breaker.skipped', 'breaker.skipped', 'breaker.stopped']);
    expect(facts.filter(({ type }) => type === 'result.dropped')).toEqual([]);
  });

  test('after a change a model may look again, and a change may be made again after something else', async () => {
    const steps = times(3, call('look', { n: 1 }), call('set', { n: 1 }));
    kit.model.script(...steps, text('All done'));
    const { facts } = await ended(small);
    expect(ran).toEqual(times(3, 'look 1' as never, 'set 1' as never));
    expect(breakersIn(facts)).toEqual([]);
  });

  test('two equal calls of one answer run once', async () => {
    kit.model.script(calls(['set', { n: 1 }], ['set', { n: 1 }], ['set', { n: 2 }]), text('All done'));
    const { facts } = await ended(small);
    expect(ran.sort()).toEqual(['set 1', 'set 2']);
    expect(breakersIn(facts)).toEqual(['breaker.skipped']);
  });

  test('a tool that fails three times is withdrawn: it stays in the request, and its calls do not run', async () => {
    const last = saying('It failed');
    kit.model.script(...[1, 2, 3, 4].map((n) => call('fail', { n })), last.step);
    const { facts } = await ended(small);
    expect(ran).toEqual(['fail 1', 'fail 2', 'fail 3']);
    expect(breakersIn(facts)).toEqual(['breaker.hinted', 'breaker.withdrawn', 'breaker.hinted']);
    expect(last.asked[0]?.tools).toHaveLength(5);
    const read = last.asked[0]?.messages.map(({ content }) => String(content)) ?? [];
    expect(read).toContainEqual(expect.stringMatching(/^`fail` was not run: it is withdrawn/));
    expect(read.at(-1)).toMatch(/These tools exist: look, peek, set, crash\./);
  });

  test('a model that fails with every tool, whatever it tries, is stopped when no call can run', async () => {
    const tries = [1, 2, 3].flatMap((n) => [call('fail', { n }), call('crash', { n })]);
    kit.model.script(...tries, call('fail', { n: 8 }), call('crash', { n: 9 }), text('Nothing works'));
    const { data, facts } = await ended(small);
    expect(data).toBe('Nothing works');
    expect(ran).toHaveLength(6);
    expect(breakersIn(facts).at(-1)).toBe('breaker.stopped');
  });

  test('names are repaired, and what was written is a fact', async () => {
    kit.model.script(calls(['functions.set', { n: 1 }], ['lok', { n: 2 }], ['Look', { n: '3' }]), text('All done'));
    const { facts } = await ended(small);
    expect(ran.sort()).toEqual(['look 3', 'set 1']);
    expect(facts.flatMap((fact) => (fact.type === 'tool.repaired' ? [[fact.from, fact.name, fact.how]] : []))).toEqual([
      ['functions.set', 'set', 'unprefixed'],
      ['Look', 'look', 'unprefixed'],
    ]);
    kit.model.reset();
    kit.model.script(call('functions.set', { n: 1 }), text('no'));
    expect((await ended(plain)).facts).toContainEqual(
      expect.objectContaining({ type: 'tool.error', error: expect.objectContaining({ type: 'UnknownTool' }) }),
    );
  });
});

describe('a silent model', () => {
  test('is asked once more, then for a summary without tools, and a fixed text is the answer', async () => {
    const last = saying('');
    kit.model.script(call('look', { n: 1 }), text(''), text(' \n'), last.step);
    const { data, facts } = await ended(small);
    expect(data).toMatch(/^The model gave no answer/);
    expect(breakersIn(facts)).toEqual(['answer.nudged', 'breaker.stopped', 'answer.replaced']);
    expect(last.asked[0]).not.toHaveProperty('tools');
  });

  test('may go on after the first nudge, and is then asked again', async () => {
    kit.model.script(text(''), call('look', { n: 1 }), text(''), text('seen'));
    const { data, facts } = await ended(small);
    expect(data).toBe('seen');
    expect(breakersIn(facts)).toEqual(['answer.nudged', 'answer.nudged']);
  });

  test('gives the fallback answer of its agent, or fails where a text does not fit', async () => {
    kit.model.script(...times(3, text('')));
    expect((await ended(fallback)).data).toEqual({ n: 0 });
    kit.model.reset();
    kit.model.script(...times(3, text('')));
    expect((await ended(schema)).error).toMatchObject({ type: 'NoProgress', data: { why: 'silent' } });
  });

  test('of another class is told that its output is invalid, as ever', async () => {
    kit.model.script(...times(3, text('')));
    expect((await ended(plain)).error).toMatchObject({ type: 'OutputInvalid' });
  });
});

test('the next message of a person resets the counts, and brings back tools that were withdrawn', async () => {
  kit.model.script(...[1, 2, 3].map((n) => call('fail', { n })), text('failed'), call('fail', { n: 4 }), text('again'));
  const run = await kit.start(talk, { input: null });
  await run.answerTo(await run.send('go'));
  await run.answerTo(await run.send('try again'));
  expect(ran).toHaveLength(4);
  await run.close();
  await run.result();
  await kit.replay(run);
});

test('what breakers have counted goes with a run into a new history', async () => {
  kit.model.script(call('fail', { n: 1 }), call('fail', { n: 2 }), call('ask_question', { question: 'Go on?' }));
  kit.model.script(call('fail', { n: 3 }), call('fail', { n: 4 }), text('It failed'));
  const run = await kit.start(asker, { input: 'go' });
  const { questionId } = await waitForFact(run, 'question.asked');
  await move(kit, run);
  await run.answer(questionId, 'Yes');
  expect((await run.result()).data).toBe('It failed');
  expect(ran).toEqual(['fail 1', 'fail 2', 'fail 3']);
  expect(await factsOf(run, 'breaker.withdrawn')).toMatchObject([{ name: 'fail', times: 3 }]);
});

import { defaultPayloadConverter } from '@temporalio/common';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import * as queries from '../../activities/run/query-run';
import type { CallModelInput } from '../../agent/protocol/calls/model-call';
import { factsOf } from '../facts';

jest.mock('../../activities/run/query-run', () => {
  const { queryOwnRun } = jest.requireActual('../../activities/run/query-run');
  return { queryOwnRun: jest.fn(queryOwnRun) };
});

/** A tool that changes its arguments, while it runs and later. */
const scribble = defineTool({
  description: 'Writes',
  inputSchema: z.object({ n: z.number(), list: z.array(z.number()) }),
  placement: 'inline',
  effect: 'read',
  execute(input) {
    input.list.push(1);
    setTimeout(() => input.list.push(2));
    return 'written';
  },
});
const write = defineTool({ description: 'Writes', inputSchema: z.object({ n: z.number() }), execute: () => 'written' });
const first = defineTool({ ...write, priority: 1 });
const agent = defineAgent({ name: 'test.sent-once', mode: 'conversation', tools: { scribble, write, first } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** Who wrote the messages that each model call of a run brought along. */
async function brought(run: { id: string }): Promise<string[]> {
  const { events } = await kit.history(run);
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    if (scheduled?.activityType?.name !== 'holdfast.callModel') return [];
    const input: CallModelInput = defaultPayloadConverter.fromPayload(scheduled.input?.payloads?.[0] as never);
    return [(input.delta ?? []).map(({ role }) => role).join(' ')];
  });
}

test('an answer is in history once: the worker that has it does not get it again', async () => {
  let seen: unknown[] = [];
  kit.model.script(
    calls(['write', { n: 1 }], ['write', { n: 2 }]),
    { text: 'Let me see.', calls: [{ name: 'write', arguments: { n: 3 } }] },
    text('Done.'),
    (turn) => {
      seen = turn.request.messages.map(({ role }) => role);
      return text('Bye.');
    },
  );
  const run = await kit.start(agent, { input: null });
  await run.answerTo(await run.send('Write'));
  await run.answerTo(await run.send('Bye'));
  await run.close();
  expect(await brought(run)).toEqual(['user', 'user user', 'user', 'user']);
  expect(seen).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant', 'user']);
  expect(queries.queryOwnRun).not.toHaveBeenCalled();
  await kit.replay(run);
});

test('an answer whose calls do not all become part of the transcript is sent as it is kept', async () => {
  let seen: unknown[] = [];
  kit.model.script(calls(['write', { n: 1 }], ['first', { n: 2 }]), (turn) => {
    seen = turn.request.messages.slice(1);
    return text('Done.');
  });
  const run = await kit.start(agent, { input: null });
  await run.answerTo(await run.send('Write'));
  await run.close();
  expect(await brought(run)).toEqual(['user', 'assistant user']);
  expect(seen).toMatchObject([
    { role: 'assistant', tool_calls: [{ function: { name: 'first' } }] },
    { role: 'tool', content: 'written' },
  ]);
  expect(queries.queryOwnRun).not.toHaveBeenCalled();
});

test('a tool that changes its arguments changes nothing of what the model reads', async () => {
  const seen: string[] = [];
  const again = (turn: { request: { messages: { tool_calls?: unknown }[] } }) => {
    seen.push(JSON.stringify(turn.request.messages.flatMap(({ tool_calls: made }) => made ?? [])));
    return text('Done.');
  };
  kit.model.script(calls(['scribble', { n: 1, list: [0] }]), again, again);
  const run = await kit.start(agent, { input: null });
  await run.answerTo(await run.send('Write'));
  await run.answerTo(await run.send('Bye'));
  await run.close();
  const [fact] = (await factsOf(run)).filter(({ type }) => type === 'tool.call');
  expect(fact).toMatchObject({ input: { n: 1, list: [0] } });
  for (const made of seen) expect(made).toContain('[0]');
});

import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { defineAgent, type Json } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf } from '../facts';

const KB = 1024;

const reader = defineAgent({ name: 'limits.reader', instructions: 'Read.' });
const builder = defineAgent({
  name: 'limits.builder',
  contextBuilder: () => ({ messages: [{ role: 'user', content: 'x'.repeat(1600 * KB) }] }),
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [reader, builder], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** Starts a run as a plain Temporal client does, and returns its failure. */
async function failureOf(workflowId: string, argument: Json): Promise<ApplicationFailure> {
  const { taskQueue } = kit;
  const handle = await kit.temporal.client.workflow.start(reader.name, { workflowId, taskQueue, args: [argument] });
  const error: unknown = await handle.result().catch((e: unknown) => e);
  if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure) return error.cause;
  throw new Error(`Expected a failed run, got ${String(error)}`);
}

it('refuses an input of 1.5 MB from a plain client in one line that says what to do', async () => {
  const failure = await failureOf('large-input', { input: 'x'.repeat(1500 * KB) });
  expect(failure.type).toBe('InvalidInput');
  expect(failure.message).toBe(
    'Input of `limits.reader` does not fit: It is 1536002 bytes, more than the limit of 1048576; pass a reference to larger data',
  );
});

it('refuses metadata of more than 64 KB', async () => {
  const failure = await failureOf('large-metadata', { input: 'x', metadata: { all: 'x'.repeat(64 * KB) } });
  expect(failure.type).toBe('InvalidInput');
  expect(failure.message).toContain('`metadata`');
});

it('shows the state and the facts of a run that was refused for its form', async () => {
  await failureOf('refused-form', { inputs: 'x' });
  const run = kit.client.get('refused-form');
  expect(await run.state()).toMatchObject({ status: 'failed', end: { error: { type: 'InvalidInput' } } });
  expect(await run.transcript()).toEqual([]);
  const facts = await factsOf(run);
  expect(facts).toMatchObject([{ type: 'loop.end', reason: 'failed', error: { type: 'InvalidInput' } }]);
  await kit.replay(run);
});

it('refuses large input and metadata in our own client before a run is started', async () => {
  const input = 'x'.repeat(1500 * KB);
  await expect(kit.start(reader, { id: 'a', input })).rejects.toMatchObject({ type: 'InvalidInput' });
  const metadata = { all: 'x'.repeat(64 * KB) };
  await expect(kit.start(reader, { id: 'b', input: 'x', metadata })).rejects.toMatchObject({ type: 'InvalidInput' });
  await expect(kit.client.get('b').state()).rejects.toMatchObject({ type: 'RunNotFound' });
});

it('fails a run whose first messages are too large for one payload', async () => {
  const run = await kit.start(builder, { input: 'x' });
  await expect(run.result()).rejects.toMatchObject({ type: 'ContextTooLarge' });
});

it('takes an input of just under 1 MB', async () => {
  kit.model.script(text('read'));
  const run = await kit.start(reader, { input: 'x'.repeat(1020 * KB) });
  expect((await run.result()).data).toBe('read');
  await kit.replay(run);
});

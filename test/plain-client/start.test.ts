import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment } from 'holdfast/testing';
import { resolveBinary } from '../../runtime/binaries/binaries';
import { billing, triage } from './agents';

const exec = promisify(execFile);

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [triage], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** What the `temporal` program prints. */
async function temporal(...args: string[]): Promise<string> {
  const program = await resolveBinary('temporal');
  const { namespace } = kit.client.temporal.options;
  const place = ['--address', kit.temporal.address, '--namespace', namespace];
  const { stdout } = await exec(program, [...args, ...place, '--output', 'json']);
  return stdout;
}

async function startByCli(id: string, ...input: string[]): Promise<void> {
  await temporal(
    ...['workflow', 'start', '--type', 'support.triage', '--task-queue', kit.taskQueue, '--workflow-id', id],
    ...input.flatMap((json) => ['--input', json]),
  );
}

const script = () => kit.model.script(call('lookup', { id: 'o1' }, { usage: { prompt: 30, completion: 5 } }), billing);

const result = {
  data: { queue: 'billing' },
  usage: { prompt: 70, completion: 7 },
  executionUnits: 77,
  calls: { model: 2, tool: 1 },
};

it('gives a plain Temporal client, the temporal program and our own client the same result', async () => {
  const { taskQueue } = kit;
  const input = { mail: 'paid twice' };

  script();
  const args = [{ input, owner: 'u1', metadata: { ticket: 17 } }];
  const options = { taskQueue, args, workflowId: 'by-client' };
  const plain = await kit.temporal.client.workflow.start('support.triage', options);
  expect(await plain.result()).toEqual(result);

  script();
  await startByCli('by-cli', JSON.stringify(args[0]));
  const printed = JSON.parse(await temporal('workflow', 'result', '--workflow-id', 'by-cli')) as object;
  expect(printed).toMatchObject({ status: 'COMPLETED', result });

  script();
  const own = await kit.start(triage, { id: 'by-holdfast', input, owner: 'u1', metadata: { ticket: 17 } });
  expect(await own.result()).toEqual(result);

  const transcripts = await Promise.all(['by-client', 'by-cli', 'by-holdfast'].map(messagesOf));
  expect(transcripts[0]).toHaveLength(4);
  expect(transcripts[1]).toEqual(transcripts[0]);
  expect(transcripts[2]).toEqual(transcripts[0]);
  expect(await kit.client.get('by-cli').state()).toMatchObject({ owner: 'u1', metadata: { ticket: 17 } });
});

/** Without the provider's ids, which the model counts up. */
async function messagesOf(id: string): Promise<unknown> {
  const messages = await kit.client.get(id).transcript();
  return JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === 'providerId' ? undefined : value)));
}

it('attaches by our client to a run that the temporal program started', async () => {
  script();
  await startByCli('shared', '{"input": {"mail": "x"}}');
  const run = await kit.start(triage, { id: 'shared', input: { mail: 'x' } });
  expect((await run.result()).data).toEqual({ queue: 'billing' });
  await expect(kit.start(triage, { id: 'shared', input: { mail: 'y' } })).rejects.toMatchObject({ type: 'IdInUse' });
});

const FORM = 'Expected one argument `{"input": …, "owner"?: …, "metadata"?: {…}}`';

it.each([
  [
    'the input at the top level',
    ['{"mail": "x"}'],
    "Unknown field `mail`; the agent's own input belongs under `input`",
  ],
  ['no argument at all', [], FORM],
  ['a text', ['"x"'], FORM],
  ['an array', ['[{"input": {"mail": "x"}}]'], FORM],
  ['null', ['null'], FORM],
  ['a non-text owner', ['{"input": {"mail": "x"}, "owner": 7}'], 'Expected `owner` to be a string'],
  ['non-object metadata', ['{"input": {"mail": "x"}, "metadata": []}'], 'Expected `metadata` to be an object'],
  [
    'an input that the schema refuses',
    ['{"input": {"mail": 7}}'],
    'mail: Invalid input: expected string, received number',
  ],
  ['no input where the schema needs one', ['{}'], 'Invalid input: expected object, received null'],
])(
  'fails a run started with %s as InvalidInput, in one line and without a model call',
  async (name, input, problem) => {
    const id = `wrong: ${name}`;
    await startByCli(id, ...input);
    const handle = kit.temporal.client.workflow.getHandle(id);
    const error: unknown = await handle.result().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    const { cause } = error as WorkflowFailedError;
    expect(cause).toBeInstanceOf(ApplicationFailure);
    expect(cause).toMatchObject({
      type: 'InvalidInput',
      message: `Input of \`support.triage\` does not fit: ${problem}`,
      nonRetryable: true,
      details: [{ agent: 'support.triage', problem }],
    });
    expect(kit.model.requests).toHaveLength(0);
    expect(await kit.client.get(id).state()).toMatchObject({ status: 'failed' });
    expect((await handle.describe()).raw.pendingWorkflowTask ?? null).toBeNull();
  },
);

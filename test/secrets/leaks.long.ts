import type { HoldfastError } from '../../agent/errors/error';
import { factsOf } from '../facts';
import { leaksIn, readable, SECRETS } from './planted';
import { SecretStage } from './stage';

let stage: SecretStage;
beforeAll(async () => {
  stage = await SecretStage.open();
});
afterAll(() => stage.close());

/** Runs an agent to its end and returns all texts that can be read of it. */
async function everythingOf(agent: string): Promise<{ error: HoldfastError | undefined; told: string; run: string }> {
  const run = await stage.client.start(agent, { id: `run-of-${agent}`, input: 'PUBLIC question' });
  const error = await run.result().then(
    () => undefined,
    (thrown: HoldfastError) => thrown,
  );
  const history = readable(await run.workflow.fetchHistory());
  const metadata = await run.workflow.query('__temporal_workflow_metadata');
  const facts = await factsOf(run);
  const description = readable((await run.workflow.describe()).raw);
  // A secret that is not found in these texts is not hidden by their form.
  expect(history).toContain('PUBLIC question');
  expect(JSON.stringify(metadata)).toContain(agent);
  const told = [history, JSON.stringify([metadata, await run.state(), await run.transcript(), facts]), description];
  return {
    error,
    told: `${told.join('\n')}\n${error?.message} ${error?.stack} ${JSON.stringify(error?.data)}`,
    run: run.id,
  };
}

it('recognises a piece of a secret', () => {
  expect(leaksIn(`a ${SECRETS.MCP_KEY.slice(3, 20)} b`)).toEqual([SECRETS.MCP_KEY]);
  expect(leaksIn(readable({ data: Buffer.from(SECRETS.MODEL_KEY) }))).toEqual([SECRETS.MODEL_KEY]);
  expect(leaksIn(SECRETS.MCP_PRIVATE_KEY.split('\n')[2] ?? '')).toHaveLength(1);
  expect(leaksIn('-----BEGIN PRIVATE KEY----- PLANTED')).toEqual([]);
});

it('leaves no secret in a run whose MCP server reveals its environment in every way', async () => {
  const { error, told } = await everythingOf('secret.worker');
  expect(error).toBeUndefined();
  for (const part of [
    'worked',
    '401: the key *** was refused',
    'no access with ***',
    'nothing but ***',
    'exited with code 7',
  ]) {
    expect(told).toContain(part);
  }
  expect(stage.model.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${SECRETS.MODEL_KEY}`,
    'x-gateway': `Key ${SECRETS.GATEWAY_KEY}`,
  });
  expect(leaksIn(told)).toEqual([]);
  // The model is untrusted, too.
  expect(leaksIn(JSON.stringify(stage.model.requests.map(({ body }) => body)))).toEqual([]);
});

it.each([
  ['a model that repeats the headers which it refuses', 'secret.refused', 'ModelUnauthorized', 'Incorrect API key'],
  ['an MCP server that does not start', 'secret.dead', 'McpServerFailed', 'exited with code 3'],
  ['an MCP server that repeats a header which it refuses', 'secret.http', 'McpServerFailed', 'no access with'],
  ['the same if the agent names the variable', 'secret.reference', 'McpServerFailed', 'no access with'],
])('leaves none in a run that fails by %s', async (_what, agent, type, problem) => {
  const { error, told } = await everythingOf(agent);
  expect(error).toMatchObject({ type, message: expect.stringContaining(problem) });
  expect(leaksIn(told)).toEqual([]);
});

it('prints none with `show` and `doctor`', async () => {
  const printed = await Promise.all([
    stage.holdfast('show', 'secret.worker'),
    stage.holdfast('show', 'secret.dead', '--json'),
    stage.holdfast('show', 'run-of-secret.worker', '--full'),
    stage.holdfast('show', 'run-of-secret.dead', '--json'),
    stage.holdfast('show', 'run-of-secret.worker', '--tool', 't1.2'),
    stage.holdfast('doctor', '--models'),
  ]);
  const marks = [
    'leaky.crash',
    'exited with code 3',
    'PUBLIC question',
    'McpServerFailed',
    '401: the key',
    'call of refused',
  ];
  for (const [i, mark] of marks.entries()) expect(printed[i]).toContain(mark);
  expect(leaksIn(printed.join('\n'))).toEqual([]);
});

it("logs none, with the worker's log at its most verbose", () => {
  expect(stage.worker.output).toContain('stderr of an MCP server');
  expect(stage.worker.output).toContain('starting with ***');
  expect(leaksIn(stage.worker.output)).toEqual([]);
});

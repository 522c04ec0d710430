import { Client } from '@temporalio/client';
import { type Agent, defineTool } from 'holdfast';
import { AgentClient, type RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment, type TestEnvironmentOptions } from 'holdfast/testing';
import { z } from 'zod';
import type { ApprovalPolicy } from '../../agent/approvals/approval';
import type { HoldfastError } from '../../agent/errors/error';
import { transcriptProblems } from '../durability/stage/check-transcript';

const amount = z.object({ amount: z.number(), note: z.string().optional() });
type Payment = z.infer<typeof amount>;

/** A tool that pays, and the payments that it made. */
export const paid: unknown[] = [];
export const keys: string[] = [];
export const pay = (name: string, approval?: ApprovalPolicy<Payment>, more: { cancellation?: 'abandon' } = {}) =>
  defineTool({
    description: name,
    inputSchema: amount,
    ...more,
    ...(approval === undefined ? {} : { approval }),
    execute: (args, ctx) => {
      paid.push([name, args.amount]);
      keys.push(ctx.idempotencyKey ?? '');
      return `paid ${args.amount}`;
    },
  });

type Script = Parameters<AgentTestEnvironment['model']['script']>;

/**
 * A test environment for runs that wait for people. It opens before the tests of the file and closes after them.
 * @param clock `still` if a cache of decisions has to outlive a run: a wait for the end of a run lets the test server
 * jump to its next timer, which is then the end of the cache, ten years later
 */
export function openDesk(options: TestEnvironmentOptions, clock: 'still' | 'jumps' = 'jumps') {
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    kit = await createAgentTestEnvironment(options);
  });
  afterAll(() => kit.close());
  afterEach(() => {
    kit.model.reset();
    paid.length = 0;
    keys.length = 0;
  });
  return {
    get kit() {
      return kit;
    },
    /** Starts a run whose model follows the script. */
    start(agent: Agent<unknown, string>, script: Script, more: { owner?: string; id?: string } = {}) {
      kit.model.script(...script);
      return kit.start(agent, { input: 'go', ...more }) as Promise<RunHandle<string>>;
    },
    /** The last result that the model was told. */
    told: () => JSON.stringify(kit.model.requests.at(-1)?.body.messages),
    /** Waits for the end of the run: returns its answer, with its transcript checked and its history replayed. */
    async end(run: RunHandle<string>): Promise<string> {
      const { data } = await resultOf(run);
      await whole(run);
      return data;
    },
    /** The same for a run that fails. */
    async fail(run: RunHandle<string>): Promise<HoldfastError> {
      const error: HoldfastError = await run.result().then(
        ({ data }) => {
          throw new Error(`It did not fail, it said ${data}`);
        },
        (failure: HoldfastError) => failure,
      );
      await whole(run);
      return error;
    },
  };

  function resultOf(run: RunHandle<string>) {
    if (clock === 'jumps') return run.result();
    const { connection, namespace } = kit.temporal;
    return new AgentClient(new Client({ connection, namespace: namespace ?? 'default' })).get<string>(run.id).result();
  }

  async function whole(run: RunHandle<string>): Promise<void> {
    expect(transcriptProblems(await run.transcript())).toEqual([]);
    await kit.replay(run);
  }
}

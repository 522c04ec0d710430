import { hostname } from 'node:os';
import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import type { Log } from '../../agent/define/context';
import { warnOfOthers, withOtherAgents } from '../../workers/other-workers';
import { agentsHash, identityOf, parseIdentity } from '../../workers/worker-identity';

const tool = defineTool({ description: 'd', inputSchema: z.object({}), execute: () => 'x' });
const agent = (name: string, ...tools: string[]) =>
  defineAgent({ name, tools: Object.fromEntries(tools.map((each) => [each, tool])) });
const agents = [agent('a.a', 'one', 'two'), agent('b.b', 'one')];

test("an identity is Temporal's default form with a hash of the agents and their tools", () => {
  const identity = identityOf(agents);
  expect(identity).toMatch(/^\d+@.+\/[0-9a-f]{8}$/);
  expect(parseIdentity(identity)).toEqual({ pid: process.pid, host: hostname(), agents: agentsHash(agents) });
  expect(parseIdentity(`${process.pid}@${hostname()}`)).toBeUndefined();
});

test('the hash does not depend on order, and differs if an agent or a tool does', () => {
  const same = [agent('b.b', 'one'), agent('a.a', 'two', 'one')];
  expect(agentsHash(same)).toBe(agentsHash(agents));
  const others = [
    [agent('a.a', 'one', 'two')],
    [agent('a.a', 'one'), agent('b.b', 'one')],
    [agent('a.a', 'one', 'two'), agent('b.c', 'one')],
    [agent('a.a', 'one'), agent('b.b', 'one', 'two')],
    [agent('a.a', 'one', 'two'), defineAgent({ name: 'b.b', mcp: { one: { command: 'one' } } })],
  ];
  const hashes = [agents, ...others].map(agentsHash);
  expect(new Set(hashes).size).toBe(hashes.length);
});

const own = agentsHash(agents);
const GONE = 2 ** 22 + 1;

test('workers of other agents are reported, but not those of this machine that have ended', () => {
  const here = `${process.pid}@${hostname()}/${own}`;
  const others = ['7@far/deadbeef', `${process.pid}@${hostname()}/deadbeef`];
  const not = [here, `7@far/${own}`, '7@far', 'my-worker', `${GONE}@${hostname()}/deadbeef`];
  expect(withOtherAgents([...not, ...others], own)).toEqual(others);
});

test('a worker warns of others on its queue, and tells what to do', async () => {
  const warned: unknown[] = [];
  const log = { debug: () => undefined, warn: (...args: unknown[]) => warned.push(args) } as unknown as Log;
  const lastAccessTime = { seconds: Math.floor(Date.now() / 1000) };
  const listing = (...identities: string[]) => ({
    workflowService: {
      describeTaskQueue: async () => ({ pollers: identities.map((identity) => ({ identity, lastAccessTime })) }),
    },
  });
  const queue = { namespace: 'default', taskQueue: 'holdfast', agents: own };
  await warnOfOthers(listing(`7@far/${own}`) as never, queue, log);
  expect(warned).toEqual([]);
  await warnOfOthers(listing('7@far/deadbeef') as never, queue, log);
  expect(warned).toEqual([
    [
      { taskQueue: 'holdfast', workers: ['7@far/deadbeef'] },
      expect.stringContaining('set another `temporal.taskQueue`'),
    ],
  ]);
});

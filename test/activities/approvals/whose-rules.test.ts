import { MockActivityEnvironment } from '@temporalio/testing';
import { createRulesCheck } from '../../../activities/approvals/rules-of-answer';
import { Registry } from '../../../activities/registry';
import type { Agent } from '../../../agent/define/agent-definition';
import type { Ctx } from '../../../agent/define/context';
import type { Manifest } from '../../../agent/protocol/manifest';
import { hashOfArguments } from '../../../runtime/sha256';
import { WATCH } from '../loop-watch/watch';
import { plainManifest } from '../plain-manifest';
import { hash, judge, logTo, refund, rules, tool, withTool } from './judge';

describe('the policy that counts', () => {
  const never = rules({ when: () => false });
  it("is the agent's policy, over the tool's own", async () => {
    const tools = { refund: tool(rules({ when: () => true })) } as never;
    expect(await judge({ tools, policies: { refund: { approval: never } } })).toEqual([{ needed: false, key: '' }]);
  });

  it("is the tool's own if the policy says nothing about approvals", async () => {
    const tools = { refund: tool(never) } as never;
    expect(await judge({ tools, policies: { refund: { priority: 2 } } })).toEqual([{ needed: false, key: '' }]);
  });

  it("is the service's own", async () => {
    expect(await judge({ services: { refund: { approval: never } } as never })).toEqual([{ needed: false, key: '' }]);
  });

  it('is only the policy of the agent for tools of MCP servers', async () => {
    const calls = [{ name: 'bank.refund', input: refund }];
    const policies = { 'bank.refund': { approval: never } };
    expect(await judge({ mcp: { bank: 'bank' }, policies, calls })).toEqual([{ needed: false, key: '' }]);
    expect(await judge({ mcp: { bank: 'bank' }, calls })).toEqual([{ needed: true, key: hash(refund) }]);
  });

  it('is what the run has pinned, if no function was involved', async () => {
    const tools = { refund: tool(never) } as never;
    expect(await judge({ tools, pinned: { refund: { asks: false } } })).toEqual([undefined]);
  });

  it('does not exist for a tool or an agent that a deploy removed: a person is asked, for this call only', async () => {
    const careful = [{ needed: true, key: hash(refund) }];
    expect(await judge({ tools: {} })).toEqual(careful);
    expect(await judge({ known: false })).toEqual(careful);
    expect(await withTool('never')).toEqual(careful);
    expect(await withTool()).toEqual(careful);
  });

  it('is not that of Object.prototype', async () => {
    const calls = [{ name: 'constructor', input: {} }];
    expect(await judge({ tools: {}, calls })).toEqual([{ needed: true, key: hash({}) }]);
  });
});

test('no rules for calls that will not run: of lower priority, with a problem, or past the 500th', async () => {
  const asked: unknown[] = [];
  const when = (input: unknown, { toolUseId }: Ctx) => asked.push([input, toolUseId]);
  const approval = rules({ when });
  const definition = { name: 'test.agent', tools: { refund: tool(approval), minor: tool(approval) } };
  const work = createRulesCheck({
    registry: new Registry([{ name: 'test.agent', definition } as unknown as Agent]),
    log: logTo([]),
    watch: WATCH,
  });
  const spec = (name: string, priority: number) => ({ name, modelName: name, priority, approval: { asks: true } });
  const manifest = { ...plainManifest, tools: [spec('refund', 1), spec('minor', 0)] } as unknown as Manifest;
  const request = (name: string, more = {}) => ({ name, input: refund, hash: hashOfArguments(refund), ...more });
  const requests = [
    request('minor'),
    request('refund', { problem: { type: 'AnswerCut', message: 'cut' } }),
    request('refund'),
    ...Array.from({ length: 497 }, () => request('unknown')),
    request('refund'),
  ];
  const about = { manifest, context: { metadata: {} }, turn: 2, requests, cancelled: new AbortController().signal };
  await new MockActivityEnvironment({ workflowType: 'test.agent' }).run(() => work(about));
  expect(asked).toEqual([[{ account: 'a1', amount: 0.7 }, 't2.3']]);
});

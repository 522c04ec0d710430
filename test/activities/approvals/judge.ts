import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { createRulesCheck } from '../../../activities/approvals/rules-of-answer';
import { Registry } from '../../../activities/registry';
import type { ApprovalPolicy, ApprovalRules, ApprovalSpec, RuleVerdict } from '../../../agent/approvals/approval';
import type { Agent, AgentDefinition } from '../../../agent/define/agent-definition';
import type { Log } from '../../../agent/define/context';
import type { ToolRequest } from '../../../agent/model/answer';
import type { Manifest } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import { hashOfArguments } from '../../../runtime/sha256';
import { WATCH } from '../loop-watch/watch';
import { plainManifest } from '../plain-manifest';

export const refund = { account: 'a1', amount: 70 };
export const hash = (input: JsonObject) => `sha256:${hashOfArguments(input)}`;
/** A log that keeps its warnings. */
export const logTo = (warned: object[]): Log => ({
  debug() {},
  info() {},
  error() {},
  warn: (fields) => warned.push(fields),
});

export const tool = (approval?: ApprovalPolicy) => ({
  description: 'Pays money back',
  inputSchema: z.object({ account: z.string(), amount: z.number().transform((cents) => cents / 100) }),
  execute: () => 'paid',
  ...(approval === undefined ? {} : { approval }),
});

interface Setting extends Partial<AgentDefinition> {
  calls?: { name: string; input: JsonObject }[];
  pinned?: { [tool: string]: Partial<ApprovalSpec> };
  known?: boolean;
  cancelled?: AbortSignal;
  warned?: object[];
}

/** The worker's verdict on the calls of an answer; `undefined` if no rule was asked. */
export async function judge(setting: Setting): Promise<(RuleVerdict | undefined)[]> {
  const {
    calls,
    pinned = {},
    known = true,
    warned = [],
    cancelled = new AbortController().signal,
    ...definition
  } = setting;
  const agent = { name: 'test.agent', definition: { name: 'test.agent', ...definition } } as unknown as Agent;
  const asked = calls ?? [{ name: 'refund', input: refund }];
  const manifest = {
    ...plainManifest,
    tools: [...new Set(asked.map(({ name }) => name))].map((name) => ({
      name,
      modelName: name,
      priority: 0,
      approval: { asks: true, onExpire: 'deny', ...pinned[name] },
    })),
  } as unknown as Manifest;
  const requests = asked.map((call) => ({ ...call, hash: hashOfArguments(call.input) }));
  const context = { owner: 'u1', metadata: { tier: 'gold' } };
  const work = createRulesCheck({ registry: new Registry(known ? [agent] : []), log: logTo(warned), watch: WATCH });
  const environment = new MockActivityEnvironment({
    workflowType: 'test.agent',
    workflowExecution: { workflowId: 'run-1', runId: 'r' },
  });
  const ruled: ToolRequest[] = await environment.run(() => work({ manifest, context, turn: 3, requests, cancelled }));
  expect(ruled).toMatchObject(requests);
  return ruled.map(({ approval }) => approval);
}

export const withTool = (approval?: ApprovalPolicy, warned: object[] = []) =>
  judge({ tools: { refund: tool(approval) } as never, warned });
export const rules = (given: { [K in keyof ApprovalRules]: unknown }) => given as ApprovalRules;

import { type AgentDefinition, type ApprovalPolicy, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { approvalSpec } from '../../../activities/context/approval-spec';
import { makeManifest } from '../../../activities/context/make-manifest';
import type { UnnamedTool } from '../../../agent/protocol/manifest';

const DAY = 86_400_000;

it.each<[string, ApprovalPolicy | undefined, unknown]>([
  ['nothing', undefined, undefined],
  ['never', 'never', undefined],
  ['always', 'always', { asks: false, onExpire: 'deny' }],
  ['rules without a rule', {}, { asks: false, onExpire: 'deny' }],
  ['a predicate', { when: () => true }, { asks: true, onExpire: 'deny' }],
  ['a key to remember by', { rememberBy: () => 'x' }, { asks: true, onExpire: 'deny' }],
  [
    'deciders and a time',
    { deciders: ['role:finance'], expires: '3d', onExpire: 'fail' },
    { asks: false, expires: 3 * DAY, onExpire: 'fail', deciders: ['role:finance'] },
  ],
  [
    'an escalation with the same time as the first wait',
    { expires: '1d', onExpire: { escalate: ['role:board'] } },
    {
      asks: false,
      expires: DAY,
      onExpire: 'escalate',
      escalation: { deciders: ['role:board'], expires: DAY, onExpire: 'deny' },
    },
  ],
  [
    'an escalation with its own time and end',
    { expires: '1d', onExpire: { escalate: ['bob'], expires: '12h', onExpire: 'fail' } },
    {
      asks: false,
      expires: DAY,
      onExpire: 'escalate',
      escalation: { deciders: ['bob'], expires: DAY / 2, onExpire: 'fail' },
    },
  ],
])('of %s this is pinned', (_what, policy, expected) => {
  expect(approvalSpec(policy)).toEqual(expected);
});

const tool = { description: 'Pays', inputSchema: z.object({}), execute: () => 'x' };
const remote: UnnamedTool = {
  name: 'files.move',
  kind: 'mcp',
  description: '',
  inputSchema: { type: 'object' },
  effect: 'once',
  priority: 0,
  timeout: 1,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
  approval: { asks: false, onExpire: 'deny' },
  mcp: { server: 'files', tool: 'move', startTimeout: 1 },
};

function manifest(more: Partial<AgentDefinition>) {
  const { definition } = defineAgent({
    name: 'test.payer',
    mcp: { files: 'files' },
    tools: { pay: defineTool({ ...tool, approval: { deciders: ['ann'] } }), look: tool },
    ...more,
  } as AgentDefinition);
  return makeManifest(definition, [remote], { searchAttributes: false });
}

function approvals(policies: AgentDefinition['policies'] = {}) {
  return Object.fromEntries(manifest({ policies }).tools.map(({ name, approval }) => [name, approval]));
}

it('a tool, and a server, define which calls wait for a person', () => {
  expect(approvals()).toEqual({
    pay: { asks: false, onExpire: 'deny', deciders: ['ann'] },
    'files.move': { asks: false, onExpire: 'deny' },
  });
});

it("the agent's policies override both, and leave unchanged what they do not name", () => {
  expect(approvals({ pay: { approval: 'never' }, 'files.move': { approval: 'never' } })).toEqual({});
  expect(approvals({ pay: { priority: 1 }, 'files.move': { priority: 1 } })).toEqual(approvals());
  expect(approvals({ 'files.move': { approval: { deciders: ['bob'] } }, look: { approval: 'always' } })).toMatchObject({
    'files.move': { deciders: ['bob'] },
    look: { asks: false },
  });
});

it('the outlet of replies is pinned', () => {
  expect(manifest({ replies: 'crm' }).replies).toBe('crm');
  expect(manifest({})).not.toHaveProperty('replies');
});

it('a run is observed if the agent has a listener', () => {
  expect(manifest({ onStream: () => {} }).observed).toBe(true);
  expect(manifest({})).not.toHaveProperty('observed');
});

import { type ApprovalPolicy, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { fault } from '../fault';

const input = z.object({ amount: z.number(), account: z.string() });
const tool = (approval: unknown) => () =>
  defineTool({ description: 'Pays', input, run: () => 'x', approval: approval as ApprovalPolicy });

it.each<[string, unknown, string[]]>([
  ['another word', 'sometimes', ['defineTool.approval', '`never`', '`always`', '`sometimes`']],
  ['a function', () => true, ['defineTool.approval', 'rules']],
  ['nothing', null, ['defineTool.approval', 'rules']],
  ['a misspelt rule', { expire: '3d' }, ['defineTool.approval.expire', 'did you mean `expires`']],
  ['a `when` that is no function', { when: true }, ['.approval.when', 'function']],
  ['a `rememberBy` that is no function', { rememberBy: 'account' }, ['.approval.rememberBy', 'function']],
  ['a strange time', { expires: 'soon' }, ['.approval.expires', "'3d'", '`soon`']],
  ['deciders that are no list', { deciders: 'ann' }, ['.approval.deciders', 'role:finance']],
  ['no deciders', { deciders: [] }, ['.approval.deciders', 'at least one']],
  ['an empty decider', { deciders: ['ann', ''] }, ['.approval.deciders']],
  ['a role without a name', { deciders: ['role:'] }, ['.approval.deciders']],
  ['an unknown end', { expires: '3d', onExpire: 'allow' }, ['.approval.onExpire', '`deny`', '`allow`']],
  ['an end without a time', { onExpire: 'fail' }, ['.approval.onExpire', 'Nothing expires without `expires`']],
  [
    'an escalation without a time before it',
    { onExpire: { escalate: ['bob'], expires: '1d' } },
    ['.approval.onExpire', 'Nothing expires without `expires`'],
  ],
  ['an escalation to nobody', { expires: '3d', onExpire: { escalate: [] } }, ['.approval.onExpire.escalate']],
  ['an escalation that names nobody', { expires: '3d', onExpire: {} }, ['.approval.onExpire.escalate']],
  [
    'an escalation with a strange time',
    { expires: '3d', onExpire: { escalate: ['bob'], expires: 0 } },
    ['.approval.onExpire.expires', '`0`'],
  ],
  [
    'an escalation that ends strangely',
    { expires: '3d', onExpire: { escalate: ['bob'], onExpire: 'escalate' } },
    ['.approval.onExpire.onExpire', '`deny`'],
  ],
  [
    'a misspelt field of an escalation',
    { expires: '3d', onExpire: { escalate: ['bob'], onExpires: 'deny' } },
    ['.approval.onExpire.onExpires', 'did you mean `onExpire`'],
  ],
])('an approval policy with %s is refused at its place', (_what, approval, expected) => {
  const message = fault(tool(approval));
  for (const part of expected) expect(message).toContain(part);
});

it.each<[string, unknown]>([
  ['never', 'never'],
  ['always', 'always'],
  ['rules without a rule', {}],
  ['an end with its time', { expires: '3d', onExpire: 'fail', deciders: ['ann', 'role:finance'] }],
  ['an escalation', { expires: 1000, onExpire: { escalate: ['role:board'], onExpire: 'fail' } }],
])('an approval policy can be %s', (_what, approval) => {
  expect(tool(approval)().approval).toBe(approval);
});

it('the policies of an agent are checked at their own place', () => {
  const policies = { 'files.move': { approval: { deciders: [] } } };
  const message = fault(() => defineAgent({ name: 'a.b', mcp: { files: 'files' }, policies }));
  expect(message).toContain('Agent `a.b`.policies.files.move.approval.deciders');
});

it("a tool's rules know the type of its input", () => {
  const made = defineTool({
    description: 'Pays',
    input,
    run: () => 'x',
    approval: { when: ({ amount }) => amount > 50, rememberBy: ({ account }) => account.trim() },
  });
  // @ts-expect-error there is no such field
  const wrong = { ...made, approval: { when: ({ sum }) => sum > 50 } } satisfies typeof made;
  expect([made, wrong]).toHaveLength(2);
});

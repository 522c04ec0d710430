import type { ApprovalPolicy } from 'holdfast';
import { checkApproval } from '../../../../agent/define/checks/approval';
import { fault } from '../../fault';

// A caller without types could write this.
const check = (policy: unknown) => () => checkApproval(policy as ApprovalPolicy, 'pay.approval');

const DECIDERS = 'Expected at least one name, or role such as `role:finance`, in a list';
const time = (got: unknown) => `Expected milliseconds or a duration such as '3d', got \`${got}\``;
const NO_TIME = 'Nothing expires without `expires`; say how long a call waits';

it.each<[string, unknown, string]>([
  ['another word', 'sometimes', ': Expected `never`, `always` or rules, got `sometimes`'],
  ['nothing', null, ': Expected `never`, `always` or rules, got `null`'],
  ['a list', ['always'], ': Expected `never`, `always` or rules, got `always`'],
  ['a function', Math.max, `: Expected \`never\`, \`always\` or rules, got \`${Math.max}\``],
  ['a misspelt rule', { expire: '3d' }, '.expire: Unknown field; did you mean `expires` or `onExpire`?'],
  [
    'a rule of one’s own',
    { budget_per_month: 7 },
    '.budget_per_month: Unknown field; known are `when`, `expires`, `onExpire`, `deciders`, `rememberBy`',
  ],
  ['a `when` that is not a function', { when: true }, '.when: Expected a function'],
  ['a `rememberBy` that is not a function', { rememberBy: 'account' }, '.rememberBy: Expected a function'],
  ['an invalid time', { expires: 'soon' }, `.expires: ${time('soon')}`],
  ['a time of zero', { expires: 0 }, `.expires: ${time(0)}`],
  ['deciders that are not a list', { deciders: 'ann' }, `.deciders: ${DECIDERS}`],
  ['no deciders', { deciders: [] }, `.deciders: ${DECIDERS}`],
  ['an empty decider', { deciders: ['ann', ' '] }, `.deciders: ${DECIDERS}`],
  ['a decider that is not a text', { deciders: [7] }, `.deciders: ${DECIDERS}`],
  ['a role without a name', { deciders: ['role: '] }, `.deciders: ${DECIDERS}`],
  [
    'an unknown end',
    { expires: '3d', onExpire: 'allow' },
    '.onExpire: Expected `deny`, `fail` or `{ escalate: […] }`, got `allow`',
  ],
  [
    'a list of ends',
    { expires: '3d', onExpire: ['deny'] },
    '.onExpire: Expected `deny`, `fail` or `{ escalate: […] }`, got `deny`',
  ],
  ['an end without a time', { onExpire: 'fail' }, `.onExpire: ${NO_TIME}`],
  ['an escalation without a time before it', { onExpire: { escalate: ['bob'], expires: 5 } }, `.onExpire: ${NO_TIME}`],
])('rules with %s are refused', (_what, policy, text) => {
  expect(fault(check(policy))).toBe(`pay.approval${text}`);
});

it.each<[string, object, string]>([
  ['with an empty list', { escalate: [] }, `.escalate: ${DECIDERS}`],
  ['without deciders', {}, '.escalate: Expected the names or roles of the next deciders'],
  ['with an invalid time', { escalate: ['bob'], expires: 0 }, `.expires: ${time(0)}`],
  ['with an invalid end', { escalate: ['bob'], onExpire: 'escalate' }, '.onExpire: Expected `deny` or `fail`'],
  [
    'with a misspelt field',
    { escalate: ['bob'], onExpires: 'deny' },
    '.onExpires: Unknown field; did you mean `onExpire` or `expires`?',
  ],
  [
    'with a field of the rules',
    { escalate: ['bob'], rememberBy: () => '' },
    '.rememberBy: Unknown field; known are `escalate`, `expires`, `onExpire`',
  ],
])('an escalation %s is refused', (_what, onExpire, text) => {
  expect(fault(check({ expires: '3d', onExpire }))).toBe(`pay.approval.onExpire${text}`);
});

it.each<[string, unknown]>([
  ['never', 'never'],
  ['always', 'always'],
  ['by rules without a rule', {}],
  ['by its arguments', { when: () => true, rememberBy: () => '' }],
  ['by names and roles', { deciders: ['ann', 'role:finance'] }],
  ['for some time', { expires: 1 }],
  ['until it is denied', { expires: '3d', onExpire: 'deny' }],
  ['until it fails', { expires: '3d', onExpire: 'fail' }],
  ['by others afterwards', { expires: 1000, onExpire: { escalate: ['role:board'] } }],
  ['by others, and then denied', { expires: 1000, onExpire: { escalate: ['bob'], expires: '1d', onExpire: 'deny' } }],
  ['by others, and then fails', { expires: 1000, onExpire: { escalate: ['bob'], onExpire: 'fail' } }],
])('a call may be approved %s', (_what, policy) => {
  expect(check(policy)).not.toThrow();
});

import { checkPolicy, executionProblem } from '../../../../agent/define/checks/policy';
import { fault } from '../../fault';

// A caller without types could write this.
const check = (policy: object) => () => checkPolicy(policy as Parameters<typeof checkPolicy>[0], 'tools.pay');

const time = (got: unknown) => `Expected milliseconds or a duration such as '30s', got \`${got}\``;

it.each<[object, string]>([
  [{ effect: 'twice' }, 'effect: Expected one of `once`, `idempotent`, `read`, got `twice`'],
  [{ placement: 'worker' }, 'placement: Expected one of `activity`, `inline`, got `worker`'],
  [{ cancellation: null }, 'cancellation: Expected one of `wait`, `abandon`, got `null`'],
  [{ execution: true }, 'execution: Expected one of `parallel`, `serial`, got `true`'],
  [{ approval: 'perhaps' }, 'approval: Expected `never`, `always` or rules, got `perhaps`'],
  [{ undo: 'no' }, 'undo: Expected a function'],
  [{ undo: () => 'x', effect: 'read' }, 'undo: A tool whose effect is `read` has nothing to undo'],
  [{ priority: Number.NaN }, 'priority: Expected a number, got `NaN`'],
  [{ priority: Number.POSITIVE_INFINITY }, 'priority: Expected a number, got `Infinity`'],
  [{ priority: '1' }, 'priority: Expected a number, got `1`'],
  [{ timeout: '5 apples' }, `timeout: ${time('5 apples')}`],
  [{ heartbeatTimeout: 0 }, `heartbeatTimeout: ${time(0)}`],
  [{ questionsExpire: 'x' }, `questionsExpire: ${time('x')}`],
  [{ heartbeatTimeout: 1999 }, 'heartbeatTimeout: Expected at least 2 s'],
  [{ heartbeatTimeout: '1s' }, 'heartbeatTimeout: Expected at least 2 s'],
  [{ effect: 'read', attempts: 0 }, 'attempts: Expected a whole number above 0, got `0`'],
  [{ effect: 'read', attempts: 1.5 }, 'attempts: Expected a whole number above 0, got `1.5`'],
  [{ effect: 'read', attempts: '2' }, 'attempts: Expected a whole number above 0, got `2`'],
  [{ placement: 'inline' }, 'placement: An inline tool may run twice; its effect must be `read` or `idempotent`'],
  [
    { placement: 'inline', effect: 'once' },
    'placement: An inline tool may run twice; its effect must be `read` or `idempotent`',
  ],
  [{ attempts: 2 }, 'attempts: A tool whose effect is `once` has one attempt'],
])('the policy %j is refused', (policy, text) => {
  expect(fault(check(policy))).toBe(`tools.pay.${text}`);
});

it.each<[object]>([
  [{}],
  [
    {
      effect: 'once',
      placement: 'activity',
      cancellation: 'wait',
      execution: 'parallel',
      approval: 'always',
      attempts: 1,
    },
  ],
  [{ effect: 'read', placement: 'inline', cancellation: 'abandon', execution: 'serial', attempts: 2 }],
  [{ effect: 'idempotent', placement: 'inline', attempts: 10, undo: () => 'x' }],
  [{ undo: () => 'x' }],
  [{ priority: 0 }],
  [{ priority: -1.5 }],
  [{ timeout: 1, heartbeatTimeout: 2000, questionsExpire: '3d' }],
])('the policy %j is accepted', (policy) => {
  expect(check(policy)).not.toThrow();
});

it('tells what is wrong with an execution', () => {
  expect(executionProblem('queue')).toBe('Expected one of `parallel`, `serial`, got `queue`');
  expect(['parallel', 'serial', undefined].map(executionProblem)).toEqual([undefined, undefined, undefined]);
});

import { isAgentName } from '../../../agent/define/agent-name';

const long = `a.${'b'.repeat(198)}`;

it.each(['a.b', 'support.triage', 'a.b-c.d_1', 'a1-.b', 'holdfasts.own', 'my.holdfast.own', long])(
  '`%s` can be the name of an agent',
  (name) => {
    expect(isAgentName(name)).toBe(true);
  },
);

it.each<unknown>([
  ...[undefined, null, 7, '', 'triage', 'toString', 'Support.triage', 'support.Triage', 'a b.c', 'a.b c', 'ä.b'],
  ...['.a.b', 'a.b.', 'a..b', '1a.b', 'a.1b', '_a.b', 'a.b\n', 'holdfast.own', 'holdfast.a.b', `${long}b`],
  ...[['support.triage'], { name: 'support.triage' }],
])('%j cannot be the name of an agent', (name) => {
  expect(isAgentName(name)).toBe(false);
});

import fc from 'fast-check';
import { planOf } from '../../../agent/strategy/check-plan';
import { planArguments } from '../../../agent/strategy/plan-arguments';
import { stepsOfLines } from '../../../agent/strategy/plan-lines';
import { readPlan } from '../../../agent/strategy/read-plan';
import { cpuTime } from '../../measure/cpu-time';
import { READABLE, UNREADABLE } from './plan-cases';

test.each(READABLE)('reads %s', (_, text, expected) => {
  expect(readPlan(text)).toMatchObject(expected);
});

test.each(UNREADABLE)('does not read %s', (_, text, why) => {
  expect(readPlan(text)).toEqual({ type: 'unreadable', problem: expect.stringContaining(why) });
});

const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    '\n',
    'steps',
    '"steps":[',
    '"description":"a"',
    'needs_tools',
    'true',
    '1',
  ],
  ...['[plan.add_step(', ')]', 'step=1', 'description=', "'", 'depends_on=[', '\u{1f600}', '\ud800'],
);

test('no text makes it throw, and a plan that is read can be followed', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const read = readPlan(parts.join(''));
      if (read.type !== 'plan') return;
      expect(read.steps.length).toBeLessThanOrEqual(10);
      expect(planOf(planArguments(read.steps).steps)).toEqual(read);
    }),
  );
});

test('what is shown to a person is read as the same plan', () => {
  const json = fc.jsonValue();
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ description: json, step_number: json, depends_on: json, critical: json, hint_params: json }),
        { maxLength: 12 },
      ),
      (steps) => {
        const read = planOf(steps);
        if (read.type === 'plan') expect(planOf(planArguments(read.steps).steps)).toEqual(read);
      },
    ),
  );
});

test.each([
  ['braces', '{'],
  ['quotes', '"'],
  ['objects', '{"a":1}'],
  ['beginnings of lines', '[plan.add_step('],
  ['names', '[plan.add_step(a=a a '],
  ['escapes', '[plan.add_step(description="\\\\'],
])('reads %s in time in proportion to their number', async (_, piece) => {
  const time = (size: number, enough: number) => {
    const garbage = piece.repeat(Math.ceil(size / piece.length));
    return cpuTime(() => {
      readPlan(garbage);
      readPlan(garbage.slice(0, 200_000));
      stepsOfLines(garbage);
    }, enough);
  };
  const tenth = await time(1_000_000, 0);
  // Ten times as much takes about ten times as long, and a hundred times if each piece were searched from the beginning.
  const most = 30 * tenth + 100;
  expect(await time(10_000_000, most)).toBeLessThan(most);
});

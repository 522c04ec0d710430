import type { JsonObject } from '../../../agent/values/json';
import type { Random } from '../../determinism/random/random';
import { randomText } from './random-text';

const step = (step_number: number, more: JsonObject = {}): JsonObject => ({
  step_number,
  description: 'Look at a thing',
  ...more,
});
const plan = (...steps: JsonObject[]) => JSON.stringify({ needs_tools: true, steps });

const WRONG = [
  plan(),
  plan(step(1, { depends_on: [2] }), step(2, { depends_on: [1] })),
  plan(step(1, { depends_on: [1] })),
  plan(step(1), step(1)),
  plan(...Array.from({ length: 200 }, (_, i) => step(i + 1))),
  plan(step(1, { description: '' })),
  plan(step(0), step(-1)),
  '{"needs_tools": false}',
  '{"needs_tools": false, "direct_response": "Hello."}',
  '{"needs_tools": "false", "direct_response": "", "steps": []}',
  '{"needs_tools": true, "steps": "__proto__"}',
  '{"needs_tools": true, "steps": [null, 1, "constructor"]}',
  '{"needs_tools": true, "steps": [{"step_number": 1, "descr',
  '[plan.add_step(step=1, server="work", description="Cut',
  '[plan.add_step(constructor=1, __proto__="a", description="Look")]',
];

/** The answer of a planner: a plan in one of both forms, or a text that is none. */
export function randomPlan(random: Random): string {
  const size = 1 + random.below(4);
  const numbers = Array.from({ length: size }, (_, i) => i + 1);
  switch (random.below(10)) {
    case 0:
      return randomText(random);
    case 1:
    case 2:
      return random.pick(WRONG);
    case 3:
    case 4:
      return numbers.map((n) => `[plan.add_step(step=${n}, server="work", description="Look at ${n}")]`).join('\n');
    default:
      return `${random.pick(['', 'This is my plan:\n```json\n'])}${plan(...numbers.map((n) => randomStep(n, random)))}`;
  }
}

function randomStep(n: number, random: Random): JsonObject {
  return step(n, {
    ...(random.below(2) === 0 ? { depends_on: [] } : {}),
    ...(random.below(3) === 0 ? { critical: false } : {}),
    ...(random.below(3) === 0 ? { hint_params: { mark: 'a' }, expected_server: random.pick(['work', 'nowhere']) } : {}),
  });
}

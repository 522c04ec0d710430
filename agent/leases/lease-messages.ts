import type { LeaseRequest } from '../protocol/entities/leases';
import { count, type Form, flag, listOf, maybe, number, objectOf, text, yes } from '../values/form';
import type { ModelLimits } from './model-limits';
import type { Attempt, Settled, Want } from './want';

const limits: Form<ModelLimits> = objectOf<ModelLimits>({
  requestsPerMinute: maybe(count),
  tokensPerMinute: maybe(count),
  concurrent: maybe(count),
});
const attempt: Form<Attempt> = objectOf<Attempt>({ of: text, began: number });
const want: Form<Want> = objectOf<Want>({
  id: text,
  interactive: flag,
  tokens: count,
  waited: number,
  term: number,
  despiteBlock: maybe(yes),
  attempt: maybe(attempt),
});
const settled: Form<Settled> = objectOf<Settled>({
  id: text,
  tokens: maybe(count),
  retryAfter: maybe(number),
  endsBlock: maybe(yes),
});
const request: Form<LeaseRequest> = objectOf<LeaseRequest>({
  limits,
  worker: maybe(text),
  wants: listOf(want),
  settled: listOf(settled),
  takesBlock: maybe(yes),
});

/** What is wrong with a message that a worker sent; `undefined` if nothing is. */
export function leaseProblem(given: unknown): string | undefined {
  return request(given, 'the payload');
}

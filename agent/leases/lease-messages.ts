import type { LeaseRequest } from '../protocol/entities/leases';
import { count, type Form, flag, listOf, maybe, number, objectOf, text, yes } from '../values/form';
import type { Settled, Want } from './ledger';
import type { ModelLimits } from './model-limits';

const limits: Form<ModelLimits> = objectOf<ModelLimits>({
  requestsPerMinute: maybe(count),
  tokensPerMinute: maybe(count),
  concurrent: maybe(count),
});
const want: Form<Want> = objectOf<Want>({
  id: text,
  interactive: flag,
  tokens: count,
  waited: number,
  term: number,
  despiteBlock: maybe(yes),
});
const settled: Form<Settled> = objectOf<Settled>({
  id: text,
  tokens: maybe(count),
  retryAfter: maybe(number),
  endsBlock: maybe(yes),
});
const request: Form<LeaseRequest> = objectOf<LeaseRequest>({
  limits,
  wants: listOf(want),
  settled: listOf(settled),
  takesBlock: maybe(yes),
});

/** What is wrong with a message that a worker sent; `undefined` if nothing is. */
export function leaseProblem(given: unknown): string | undefined {
  return request(given, 'the payload');
}

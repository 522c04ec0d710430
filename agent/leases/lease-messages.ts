import type { LeaseRequest } from '../protocol/entities/leases';
import { count, type Form, flag, listOf, maybe, number, objectOf, text, yes } from '../values/form';
import type { ModelLimits } from './model-limits';
import type { Attempt, Held, Late, Recent, Settled, Want } from './want';

const limits: Form<ModelLimits> = objectOf<ModelLimits>({
  requestsPerMinute: maybe(count),
  tokensPerMinute: maybe(count),
  concurrent: maybe(count),
});
const attempt: Form<Attempt> = objectOf<Attempt>({ of: text, began: number });
const wanted = {
  id: text,
  interactive: flag,
  tokens: count,
  term: number,
  despiteBlock: maybe(yes),
  attempt: maybe(attempt),
};
const want: Form<Want> = objectOf<Want>({ ...wanted, waited: number });
const held: Form<Held> = objectOf<Held>({ want: objectOf<Held['want']>(wanted), since: number });
const recent: Form<Recent> = objectOf<Recent>({ since: number, requests: count, tokens: count });
const late: Form<Late> = objectOf<Late>({ id: text, at: number, since: number });
const settled: Form<Settled> = objectOf<Settled>({
  id: text,
  tokens: maybe(count),
  retryAfter: maybe(number),
  endsBlock: maybe(yes),
  left: maybe(yes),
});
const request: Form<LeaseRequest> = objectOf<LeaseRequest>({
  limits,
  worker: maybe(text),
  wants: listOf(want),
  settled: listOf(settled),
  late: maybe(listOf(late)),
  held: maybe(listOf(held)),
  recent: maybe(listOf(recent)),
  knows: maybe(text),
  seq: maybe(count),
  takesBlock: maybe(yes),
});

/** What is wrong with a message that a worker sent; `undefined` if nothing is. */
export function leaseProblem(given: unknown): string | undefined {
  return request(given, 'the payload');
}

import { APPROVALS } from '../protocol/activities';
import { checkGrants, checkRevoke } from './check-grants';
import type { GrantBook } from './grant-book';

/**
 * What can be asked of a book, by the name of the signal or update. Each gives the change, which returns how many decisions
 * it concerned. `now` is in milliseconds since 1970.
 * @throws HoldfastError `InvalidDecision`
 */
export const GRANT_CHANGES: {
  readonly [name: string]: (book: GrantBook, payload: unknown, now: number) => () => number;
} = {
  [APPROVALS.set]: (book, payload, now) => {
    const { owner, grants } = checkGrants(payload, now);
    return () => book.set(owner, grants);
  },
  [APPROVALS.revoke]: (book, payload) => {
    const which = checkRevoke(payload);
    return () => book.revoke(which);
  },
};

import { APPROVALS } from '../protocol/entities/approvals';
import { checkGrants, checkRevoke } from './check-grants';
import type { GrantBook } from './grant-book';

/**
 * The changes that a book accepts, by the name of the signal or update. Each entry checks the payload and returns the
 * change, which returns how many decisions it affected. `now` is in milliseconds since 1970.
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

import { ApplicationFailure, type Payload } from '@temporalio/common';
import { HoldfastError } from '../../agent/errors/error';
import { STORAGE } from '../../agent/protocol/calls/storage-failures';
import { UNREADABLE } from '../../agent/values/unreadable';
import { unreadablePayload } from '../payloads/unreadable-payload';

/**
 * Who uses a storage. A worker must not throw because of what anyone may send, such as a reference to nothing: the
 * workflow task would be repeated without end. A client tells its caller.
 */
export type User = 'worker' | 'client';

/**
 * Takes the place of a payload that no storage has.
 * @param problem what is wrong, in one sentence
 * @throws HoldfastError `StorageUnavailable`, in a client
 */
export function refused(user: User, problem: string): Payload {
  if (user === 'worker') return unreadablePayload(UNREADABLE.stored, problem);
  throw new HoldfastError('StorageUnavailable', { problem });
}

/** What is thrown while a storage cannot be used. The server repeats the task of a worker. */
export function unavailable(user: User, doing: keyof typeof STORAGE, { where, problem }: Trouble): Error {
  const error = new HoldfastError('StorageUnavailable', { where, problem });
  return user === 'client' ? error : ApplicationFailure.retryable(error.message, STORAGE[doing], error.data);
}

interface Trouble {
  where: string;
  problem: string;
}

import type { ConnectionOptions } from '@temporalio/client';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Interceptor>;
type Listener = NonNullable<Parameters<Call['start']>[1]>;

/** The status of a request that its caller no longer wants. */
const CANCELLED = 1;

/**
 * Temporal's client repeats a request after a pause that neither an abort nor the end of the connection ends. A request
 * whose reader has left would throw out of its timer when it is repeated over a closed connection, and end the process:
 * it ends as cancelled.
 */
export const cancelledIfClosed: Interceptor = (options, nextCall) => {
  try {
    // What the next one returns has all methods of the class, which only adds private fields.
    return nextCall(options) as Call;
  } catch {
    return ended() as unknown as Call;
  }
};

/** A call that is over before it has begun. */
function ended(): Pick<Call, 'start' | 'sendMessage' | 'sendMessageWithContext' | 'startRead' | 'halfClose'> &
  Pick<Call, 'cancelWithStatus' | 'getPeer'> {
  const nothing = () => undefined;
  return {
    start(metadata, listener: Listener = {}) {
      listener.onReceiveStatus?.({ code: CANCELLED, details: 'The connection is closed', metadata } as never);
    },
    sendMessage: nothing,
    sendMessageWithContext: nothing,
    startRead: nothing,
    halfClose: nothing,
    cancelWithStatus: nothing,
    getPeer: () => 'closed',
  };
}

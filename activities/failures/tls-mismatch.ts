interface Failed {
  readonly message: string;
  readonly code?: string | undefined;
  /** Of Node's fetch. */
  readonly socket?: { readonly bytesRead?: number } | undefined;
}

/**
 * What to think of a connection that failed although a server is there: one side speaks TLS and the other does not.
 * `undefined` where nothing indicates that. A server with TLS closes a connection on which no TLS begins; one that broke
 * down does the same, so this is a possibility only.
 * @param error the innermost cause
 * @param address of the server
 */
export function tlsMismatch({ code, message, socket }: Failed, address: string): string | undefined {
  // OpenSSL's own words name a file and a line of its source.
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'it does not speak TLS at this port, and may expect `http:`';
  if (!/^http:/i.test(address)) return undefined;
  const isClosed =
    (code === 'ECONNRESET' && message === 'socket hang up') ||
    (code === 'UND_ERR_SOCKET' && message === 'other side closed' && (socket?.bytesRead ?? 0) === 0);
  return isClosed ? 'it closed the connection without an answer, and may expect `https:`' : undefined;
}

import {
  type Implementation,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { Link } from './link';
import { beforeClient, type Handler } from './traffic/before-client';

/** Milliseconds in which a server that refused the handshake may answer the question that came before it. */
const GRACE = 1000;

type Reply = Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>;

/**
 * Tells a process that begins to read late, for instance since it is being installed, from an old one that ignores the
 * question for its era. After `patience` milliseconds of silence it gets the old handshake as well, and its answer to
 * that one decides: a server of 2026 refuses the handshake, since it has read the question before. The SDK would take
 * the silence for the answer and fail at the refusal.
 */
export function whenLate(link: Link, { client, patience }: { client: Implementation; patience: number }): Link {
  let toClient: Handler = () => {};
  /** The question that has no answer yet, and the answer that waits for the one to the handshake. */
  let question: { id: string | number; late?: Reply } | undefined;
  /** The handshake that we asked for. */
  let handshake: { reply?: Reply } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const after = (ms: number, then: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
    timer.unref();
  };
  const answer = (reply: Reply) => {
    clearTimeout(timer);
    question = undefined;
    toClient(reply);
  };
  /** The client then asks for the handshake and gets the reply that came to ours. */
  const answerOld = (id: string | number) =>
    answer({ jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.MethodNotFound, message: 'not answered' } });

  const ask = () => {
    if (handshake !== undefined) return decide();
    handshake = {};
    const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: client };
    // The client's own ids begin with 0, for its handshake, which is not sent then.
    send({ jsonrpc: '2.0', id: 0, method: 'initialize', params }).catch((error) => link.onerror?.(error));
  };
  const decide = () => {
    if (question === undefined || handshake?.reply === undefined) return;
    const { id, late } = question;
    if (isJSONRPCResultResponse(handshake.reply)) answerOld(id);
    else if (late !== undefined) answer(late);
    else after(GRACE, () => answerOld(id));
  };

  const send = link.send.bind(link);
  link.send = async (message, options) => {
    if (isInitializeRequest(message) && isJSONRPCRequest(message) && handshake?.reply !== undefined) {
      const reply = { ...handshake.reply, id: message.id };
      queueMicrotask(() => toClient(reply));
      return;
    }
    if (isJSONRPCRequest(message) && message.method === 'server/discover') {
      question = { id: message.id };
      after(patience, ask);
    }
    await send(message, options);
  };
  void link.gone.then(() => clearTimeout(timer));
  return beforeClient(link, (handler) => {
    toClient = handler;
    return (message, ...rest) => {
      if (question === undefined || !isReply(message)) return handler(message, ...rest);
      if (message.id === question.id) {
        if (handshake === undefined) return answer(message);
        question.late = message;
        link.answeredLate = isJSONRPCResultResponse(message);
      } else if (message.id === 0 && handshake !== undefined) {
        handshake.reply = message;
      }
      decide();
    };
  });
}

function isReply(message: JSONRPCMessage): message is Reply {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

import type { AnswerEvents, ModelAdapter, ModelCall, ModelPart, ModelRequest } from '../../../agent/model/adapter';
import type { CallFault, ModelAnswer } from '../../../agent/model/answer';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { linkedAbort } from '../../../runtime/abort/linked-abort';
import { Leavable } from '../answer/leavable';
import { AnswerReader } from './answer-reader';
import { writtenCall } from './call-reader';

/** Characters of a broken call that the transcript keeps. */
const MAX_KEPT = 16_384;

/** The tool calls of one answer, in its text: an adapter in front of any other one, and what it has found out. */
export class TextCalls implements ModelAdapter {
  readonly kind: string;
  readonly provider: string;
  readonly #reader: AnswerReader;

  /** @param adapter speaks with the provider */
  constructor(
    private readonly adapter: ModelAdapter,
    tools: readonly ToolSpec[],
  ) {
    this.kind = adapter.kind;
    this.provider = adapter.provider;
    this.#reader = new AnswerReader(tools);
  }

  /** Aborts the request at the end of the first call: what follows would be paid for, and is often an invented result. */
  async *stream(request: ModelRequest, call: ModelCall): AsyncGenerator<AnswerEvents> {
    const stop = linkedAbort(call.signal);
    const answer = new Leavable(() => this.adapter.stream(request, { ...call, signal: stop.signal }));
    try {
      for await (const events of answer) {
        const read: ModelPart[][] = [];
        for (const parts of events) {
          // An empty list is a sign that the answer goes on.
          read.push(this.#reader.read(parts));
          if (this.#reader.isStopped) break;
        }
        yield read;
        if (this.#reader.isStopped) return;
      }
    } finally {
      stop.abort();
    }
  }

  /** The provider did not say what the answer took, since it was left at its first call. */
  get isStopped(): boolean {
    return this.#reader.isStopped;
  }

  /** Characters of the answer that are in none of its parts. */
  get unshown(): number {
    return this.#reader.unshown;
  }

  /** The answer, with what is wrong with its call. A broken call is a text: the model sees what it wrote. */
  withFaults(answer: ModelAnswer): ModelAnswer {
    const { end, text } = this.#reader.call;
    if (end === undefined) return answer;
    const [request] = answer.toolRequests;
    if (end.type === 'called') {
      if (request?.problem?.type === 'InvalidJson') {
        return broken(answer, { type: 'ParseError', message: request.problem.message }, text);
      }
      const { problem: message } = end;
      if (request === undefined || message === undefined || request.repaired !== undefined) return answer;
      return { ...answer, toolRequests: [{ ...request, problem: { type: 'ToolNotFound', message } }] };
    }
    return broken(answer, end.fault, text);
  }
}

function broken(answer: ModelAnswer, callFault: CallFault, text: string): ModelAnswer {
  // Half an emoji cannot be sent.
  const kept = text.slice(0, MAX_KEPT).replace(/[\ud800-\udbff]$/, '');
  const said = { type: 'text' as const, text: writtenCall(kept) };
  return { ...answer, type: 'text', parts: [...answer.parts, said], toolRequests: [], finishReason: 'stop', callFault };
}

import { createServer } from 'node:http';
import { exchangeOf, listen, textOf } from '../../kit/http-exchange';
import type { ChatRequest, ModelReply } from '../../kit/model-reply';
import { QuestionAnswer, sendError } from '../../kit/send-reply';
import { helperScript, type Script } from './script';

/** The requests of one speaker: of a conversation, or of an agent that works for it. */
interface Speaker {
  replies: readonly ModelReply[];
  last: ModelReply;
  /** How many replies were given. */
  given: number;
  /** The bodies in the order of arrival, and the answer to each. A call that is tried again is not a new one. */
  answers: Map<string, ModelReply>;
}

const MARK = /case-\d+(-helper-[\d.]+)?/;
const SUMMARY = 'You compact the conversation';

/** A model that plays a script for each conversation, and keeps the bodies of the requests. */
export class RecordingModel {
  readonly #speakers = new Map<string, Speaker>();

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<RecordingModel> {
    const serving: { it?: RecordingModel } = {};
    const server = createServer((message, response) => {
      const answering = async () => {
        const body = await textOf(message);
        const { reply, number } = (serving.it as RecordingModel).#answer(body);
        const request = JSON.parse(body) as ChatRequest;
        await new QuestionAnswer(response, request, number, exchangeOf(response)).send(reply);
      };
      // A client that went away needs no answer.
      answering().catch((error: unknown) =>
        response.headersSent
          ? response.destroy()
          : sendError(response, { kind: 'status', status: 400, message: String(error) }),
      );
    });
    const { port, close } = await listen(server);
    serving.it = new RecordingModel(`http://127.0.0.1:${port}/v1`, close);
    return serving.it;
  }

  script({ mark, replies, last }: Script): void {
    this.#speakers.set(mark, { replies, last, given: 0, answers: new Map() });
  }

  /** The bodies of all requests of a conversation, those of agents that worked for it last. */
  requests(mark: string): string[] {
    const own = [...this.#speakers.keys()].filter((speaker) => speaker === mark || speaker.startsWith(`${mark}-`));
    return own.sort().flatMap((speaker) => [...(this.#speakers.get(speaker)?.answers.keys() ?? [])]);
  }

  #answer(body: string): { reply: ModelReply; number: number } {
    const [mark, helps] = MARK.exec(body) ?? [];
    if (mark === undefined) throw new Error(`A request without a mark: ${body}`);
    let speaker = this.#speakers.get(mark);
    if (speaker === undefined) {
      if (helps === undefined) throw new Error(`There is no script ${mark}`);
      const last = { text: `I helped ${mark}.` };
      speaker = { replies: helperScript(mark), last, given: 0, answers: new Map() };
      this.#speakers.set(mark, speaker);
    }
    const before = speaker.answers.get(body);
    const fails = before?.fault !== undefined;
    const reply = before !== undefined && !fails ? before : this.#next(speaker, body, mark);
    speaker.answers.set(body, reply);
    return { reply, number: speaker.answers.size };
  }

  #next(speaker: Speaker, body: string, mark: string): ModelReply {
    if (body.includes(SUMMARY)) return { text: `A summary of ${mark}.` };
    return speaker.replies[speaker.given++] ?? speaker.last;
  }
}

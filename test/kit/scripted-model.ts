import type { IncomingHttpHeaders } from 'node:http';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import type { ChatRequest, ModelReply, ReplyCall, ReplyFault } from './model-reply';
import { type ModelServer, type RawReply, type RecordedRequest, serveModel } from './model-server';

/** What a step of a script may read. `number` counts requests from 1. */
export interface ScriptTurn {
  /** The request as it arrived. */
  request: ChatRequest;
  /** Number of the request, from 1. */
  number: number;
  /** HTTP headers of the request. */
  headers: IncomingHttpHeaders;
}

/** One answer, or a function that makes it from the request. */
export type ScriptStep =
  | ModelReply
  | RawReply
  | ((turn: ScriptTurn) => ModelReply | RawReply | Promise<ModelReply | RawReply>);

/**
 * A model that follows a script over HTTP: one step for each request, from any client. A fault that the caller retries
 * uses up a step as well, so a script reads `fault(…), text('ok')`.
 */
export class ScriptedModel {
  private readonly steps: ScriptStep[] = [];
  private taken = 0;
  /** Requests that came before the last reset. */
  private before = 0;
  private server: ModelServer | undefined;

  constructor(...steps: ScriptStep[]) {
    this.script(...steps);
  }

  /** Appends steps. A request past the last one gets a 400 with the code `script_exhausted`. */
  script(...steps: ScriptStep[]): this {
    this.steps.push(...steps);
    return this;
  }

  /** Forgets script and requests, for the next test of the same file. */
  reset(): void {
    this.steps.length = 0;
    this.taken = 0;
    this.before = this.running().requests.length;
  }

  /** Opens the port; a test environment calls it by itself. */
  async start(options: { port?: number } = {}): Promise<this> {
    this.server = await serveModel((request, { number, headers }) => {
      const step = this.steps[this.taken];
      if (step === undefined) return this.exhausted(number - this.before);
      this.taken++;
      return typeof step === 'function' ? step({ request, number: number - this.before, headers }) : step;
    }, options);
    return this;
  }

  /** Whether the port is open. */
  get started(): boolean {
    return this.server !== undefined;
  }

  /** Closes the port and every connection. */
  async close(): Promise<void> {
    await this.server?.close();
  }

  /** Base URL of the API; ends in `/v1`. */
  get url(): string {
    return this.running().url;
  }

  /** All requests so far, in the order of their arrival. */
  get requests(): RecordedRequest[] {
    return this.running().requests.slice(this.before);
  }

  /** The request with this number, counted from 1, as soon as it has arrived. */
  request(number: number): Promise<RecordedRequest> {
    return this.running().request(this.before + number);
  }

  /** Throws if steps are left that no request has taken. */
  assertDone(): void {
    const left = this.steps.length - this.taken;
    if (left > 0) throw new Error(`The script has ${left} of its ${this.steps.length} steps left`);
  }

  private exhausted(number: number): ModelReply {
    const steps = this.steps.length;
    const message = `The script has ${steps} steps and this is request ${number}`;
    return { fault: { kind: 'status', status: 400, code: 'script_exhausted', message } };
  }

  private running(): ModelServer {
    if (this.server === undefined) throw new Error('The scripted model is not started: await start() first');
    return this.server;
  }
}

/** An answer that is a text. */
export function text(content: string, extra: Partial<ModelReply> = {}): ModelReply {
  return { text: content, ...extra };
}

/** An answer that calls one tool; `args` as a text is sent as it is. `extra.id` is the provider's id of the call. */
export function call(
  name: string,
  args: JsonObject | string = {},
  { id, ...extra }: Partial<ModelReply> & { id?: string } = {},
): ModelReply {
  return { calls: [replyCall(name, args, defined({ id }))], ...extra };
}

/** An answer that calls several tools at once. */
export function calls(...all: [name: string, args?: JsonObject | string, extra?: Partial<ReplyCall>][]): ModelReply {
  return { calls: all.map(([name, args, extra]) => replyCall(name, args ?? {}, extra ?? {})) };
}

/** An answer with a fault; `extra` is what arrives before it. */
export function fault(fault: ReplyFault, extra: Partial<ModelReply> = {}): ModelReply {
  return { ...extra, fault };
}

function replyCall(name: string, args: JsonObject | string, extra: Partial<ReplyCall>): ReplyCall {
  return { name, arguments: args, ...extra };
}

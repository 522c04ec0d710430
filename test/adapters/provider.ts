import type { ModelConfig } from '../../agent/model/config';
import type { ModelSettings } from '../../agent/model/settings';
import type { Asked, Feature, WireReply } from './wire';

/** The key of every model of the suite. */
export const KEY = 'test-key-1234567890';

/** One answer, or a function that makes it. */
export type WireStep = WireReply | ((asked: Asked) => WireReply | Promise<WireReply>);

/** A request as it arrived at a provider. */
export interface ProviderRequest extends Asked {
  /** The body, byte for byte. */
  text: string;
  /** Resolves when the caller gives up before the end of the answer: its socket is closed. */
  closed: Promise<void>;
}

/** A provider that follows a script: one step for each request. A request past the last step gets a 400. */
export interface Provider {
  readonly requests: readonly ProviderRequest[];
  /** The request with this number, counted from 1, as soon as it has arrived. */
  request(number: number): Promise<ProviderRequest>;
  /** A model of this provider. */
  model(extra?: ModelSettings & { idleTimeout?: number; contextWindow?: number }): ModelConfig;
  close(): Promise<void>;
}

/** A kind of provider that the suite runs over. */
export interface ProviderKind {
  name: string;
  lacks: readonly Feature[];
  open(...steps: WireStep[]): Promise<Provider>;
}

/** What a script answers, step by step. */
export class Script {
  #taken = 0;

  constructor(private readonly steps: readonly WireStep[]) {}

  /** The next reply; a script that has ended answers with an error that is not retried. */
  async next(asked: Asked): Promise<WireReply> {
    const step = this.steps[this.#taken++];
    if (step !== undefined) return typeof step === 'function' ? step(asked) : step;
    const message = `The script has ${this.steps.length} steps and this is request ${this.#taken}`;
    return { fault: { kind: 'status', status: 400, message } };
  }
}

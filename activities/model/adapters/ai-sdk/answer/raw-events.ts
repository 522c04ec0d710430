import type { ModelPart } from '../../../../../agent/model/adapter';
import type { Usage } from '../../../../../agent/model/cost/usage';
import { isJsonObject, type JsonObject } from '../../../../../agent/values/json';
import { RawUsage } from './raw-usage';

/** What the events of an answer say, as the provider sent them, and packages do not pass on. */
export class RawEvents {
  /** The last one. */
  last: unknown;
  #isChat = false;
  #hasEnd = false;
  readonly #usage = new RawUsage();

  /** The provider has chunks of chat completions, and none of them says why the answer ended. */
  get isCut(): boolean {
    return this.#isChat && !this.#hasEnd;
  }

  /** Tokens, as they were last reported. */
  get usage(): Usage | undefined {
    return this.#usage.last;
  }

  read(event: unknown): ModelPart[] {
    this.last = event;
    if (!isJsonObject(event)) return [];
    const usage = this.#usage.read(event);
    return [...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]), ...this.#refusals(event)];
  }

  /** Refusals have a field of their own in OpenAI's form: few packages read it, and none gives its words. */
  #refusals(event: JsonObject): ModelPart[] {
    if (event.type === 'response.refusal.delta') return refusal(event.delta);
    return (Array.isArray(event.choices) ? event.choices : []).filter(isJsonObject).flatMap((choice) => {
      this.#isChat = true;
      if (choice.finish_reason) this.#hasEnd = true;
      return isJsonObject(choice.delta) ? refusal(choice.delta.refusal) : [];
    });
  }
}

function refusal(text: JsonObject[string] | undefined): ModelPart[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'refusal', text }] : [];
}

import type { FinishReason, ModelPart } from '../../../../agent/model/adapter';
import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import { grow, type OutputItem, partsOfBegin, partsOfItem } from './output-item';
import { OutputItems } from './output-items';
import { responseUsage } from './response-usage';

/** Between the parts of a summary, which are paragraphs. */
const PARAGRAPH = '\n\n';

/** Why a response is incomplete; any other reason means that its length is used up. */
const INCOMPLETE: ReadonlyMap<string, FinishReason> = new Map([['content_filter', 'refused']]);

/** Turns what a server sends of one response into parts. */
export class ResponseParts {
  readonly #items = new OutputItems();
  /** The item whose text or reasoning came last. */
  #said: OutputItem | undefined;

  /** The parts of one event of its stream. */
  ofEvent(event: unknown): ModelPart[] {
    if (!isJsonObject(event)) return [];
    const { item, response } = event;
    switch (event.type) {
      case 'response.output_item.added':
        return isJsonObject(item) ? partsOfBegin(item, this.#items.begin(event)) : [];
      case 'response.output_text.delta':
        return this.#say(event, event.delta);
      case 'response.output_text.done':
        return this.#say(event, event.text, 'whole');
      case 'response.refusal.delta':
        return this.#refuse(event);
      case 'response.function_call_arguments.delta':
        return this.#argue(event, event.delta);
      case 'response.function_call_arguments.done':
        return this.#argue(event, event.arguments, 'whole');
      case 'response.reasoning_summary_text.delta':
        return this.#think(event, 'summary', event.summary_index);
      case 'response.reasoning_text.delta':
        return this.#think(event, 'content', event.content_index);
      case 'response.output_item.done':
        return isJsonObject(item) ? this.#whole(item, this.#items.of(event)) : [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#end(isJsonObject(response) ? response : {}, event.type.slice('response.'.length));
      default:
        return [];
    }
  }

  /** The parts of the response of a server that does not stream; `undefined` if it is none. */
  ofWhole(json: unknown): ModelPart[] | undefined {
    if (!isJsonObject(json) || !Array.isArray(json.output)) return undefined;
    return this.#end(json, 'completed');
  }

  #whole(said: JsonObject, item: OutputItem): ModelPart[] {
    item.isDone = true;
    if (said.type === 'message' && item.length === 0) this.#says(item);
    return partsOfItem(said, item);
  }

  /** `whole`: the event repeats what may have come in pieces. */
  #say(event: JsonObject, given: Json | undefined, whole?: 'whole'): ModelPart[] {
    if (typeof given !== 'string' || given === '') return [];
    const item = this.#items.of(event);
    if (whole && (item.isDone || item.isPast)) return [];
    const text = grow(item, { given, place: event.content_index, whole });
    if (text === '') return [];
    this.#says(item);
    return [{ type: 'text', text }];
  }

  #argue(event: JsonObject, given: Json | undefined, whole?: 'whole'): ModelPart[] {
    if (typeof given !== 'string' || given === '') return [];
    const item = this.#items.of(event);
    if (whole && item.isDone) return [];
    const text = grow(item, { given, whole });
    return text === '' ? [] : [{ type: 'call', index: item.index, arguments: text }];
  }

  #refuse(event: JsonObject): ModelPart[] {
    const { delta } = event;
    if (typeof delta !== 'string' || delta === '') return [];
    const item = this.#items.of(event);
    item.length += delta.length;
    return [{ type: 'refusal', text: delta }];
  }

  #says(item: OutputItem): void {
    if (this.#said !== undefined && this.#said !== item) this.#said.isPast = true;
    if (!item.isPast) this.#said = item;
  }

  #think(event: JsonObject, field: 'summary' | 'content', paragraph: Json = 0): ModelPart[] {
    const { delta } = event;
    if (typeof delta !== 'string' || delta === '') return [];
    const item = this.#items.of(event);
    // Some servers send the reasoning and its summary: only the first counts.
    item.shown ??= field;
    if (item.shown !== field) return [];
    const isNext = item.length > 0 && item.paragraph !== paragraph;
    item.paragraph = paragraph;
    this.#says(item);
    item.length += delta.length;
    return [{ type: 'reasoning', id: String(item.index), text: isNext ? PARAGRAPH + delta : delta }];
  }

  #end(response: JsonObject, ended: string): ModelPart[] {
    const parts: ModelPart[] = [];
    const { output, model } = response;
    // Some servers stream nothing but the end, or leave out some of what comes with it.
    for (const [place, said] of Array.isArray(output) ? output.entries() : []) {
      if (!isJsonObject(said)) continue;
      const item = this.#items.inOutput(said, place);
      if (!item.isDone) parts.push(...this.#whole(said, item));
    }
    if (typeof model === 'string' && model !== '') parts.push({ type: 'model', model });
    const usage = responseUsage(response.usage);
    if (usage !== undefined) parts.push({ type: 'usage', usage });
    const finish = this.#finish(response, ended);
    if (finish !== undefined) parts.push(finish);
    return parts;
  }

  #finish(response: JsonObject, ended: string): ModelPart | undefined {
    const { status = ended, incomplete_details: details } = response;
    switch (status) {
      case 'completed':
        return { type: 'finish', reason: 'stop', said: status };
      case 'incomplete': {
        const said = isJsonObject(details) && typeof details.reason === 'string' ? details.reason : status;
        return { type: 'finish', reason: INCOMPLETE.get(said) ?? 'length', said };
      }
      case 'failed':
      case 'cancelled':
        return { type: 'finish', reason: 'failed', said: status };
      default:
        return undefined;
    }
  }
}

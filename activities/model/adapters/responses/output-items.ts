import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import type { OutputItem } from './output-item';

/**
 * The items of an output that have begun. Servers differ in how an event names its item: by its place in the output, by its
 * id, by the id of its call, or by one of them in one event and by another in the next.
 */
export class OutputItems {
  readonly #list: OutputItem[] = [];
  readonly #byName = new Map<Json, OutputItem>();
  /** Those that the whole output has. */
  readonly #inOutput = new Set<OutputItem>();

  /** A new item. */
  begin(event: JsonObject): OutputItem {
    const item: OutputItem = {
      index: this.#list.length,
      length: 0,
      streamed: new Map(),
      type: typeIn(event),
    };
    this.#list.push(item);
    for (const name of namesIn(event)) this.#byName.set(name, item);
    return item;
  }

  /** The item of an event. */
  of(event: JsonObject): OutputItem {
    const names = namesIn(event);
    const known = names.find((name) => this.#byName.has(name));
    const item = known === undefined ? undefined : this.#byName.get(known);
    if (item === undefined) return this.begin(event);
    for (const name of names) if (!this.#byName.has(name)) this.#byName.set(name, item);
    item.type ??= typeIn(event);
    return item;
  }

  /** The item that the whole output, which comes at the end, has at a place. No two places have the same. */
  inOutput(said: JsonObject, place: number): OutputItem {
    const item = this.#placed(said, place);
    this.#inOutput.add(item);
    return item;
  }

  #placed(said: JsonObject, place: number): OutputItem {
    const event = { item: said };
    if (namesIn(event).some((name) => name !== null && this.#byName.has(name))) return this.of(event);
    const ofKind = this.#list.filter(
      (item) => (item.type === undefined || item.type === said.type) && !this.#inOutput.has(item),
    );
    const there = this.#byName.get(place);
    if (there !== undefined && ofKind.includes(there)) return there;
    // Gateways may invent an id for each event, but calls are answered by theirs.
    const known = said.type === 'function_call' ? undefined : ofKind[0];
    return known ?? this.begin(event);
  }
}

/** Names of an item in an event, the surest first. */
function namesIn({ output_index: place, item_id: id, item }: JsonObject): Json[] {
  const { id: own, call_id: call } = isJsonObject(item) ? item : {};
  const names = [place, id, own, call].flatMap((name) =>
    typeof name === 'number' || (typeof name === 'string' && name !== '') ? [name] : [],
  );
  // Events that name nothing belong together.
  return names.length === 0 ? [null] : names;
}

function typeIn({ item }: JsonObject): Json | undefined {
  return isJsonObject(item) ? item.type : undefined;
}

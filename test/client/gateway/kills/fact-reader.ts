import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../../agent/protocol/stream';
import { isBeginning } from './answers';
import { Lost, persist, request } from './requests';

/** What readers have in common. */
export interface Hearing {
  /** Something has come. */
  heard(): void;
  /** Something that must not be. */
  problem(text: string): void;
}

/** Reads a run to its end, over connections that break: every fact, as it comes. */
export async function readFacts(url: string, deltas: boolean, to: Hearing): Promise<Fact[]> {
  const facts: Fact[] = [];
  await persist(async () => {
    const last = facts.at(-1)?.seq;
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) };
    const { body } = await request(`${url}/events?deltas=${deltas}`, { headers });
    const shown = new Shown(to);
    const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events ?? []) {
      to.heard();
      if (event === 'end') return;
      if (event === 'error') throw new Lost(data);
      if (event === 'fact') facts.push(JSON.parse(data));
      if (event === 'delta') shown.add(JSON.parse(data));
    }
    throw new Lost('The stream has ended before the run');
  });
  return facts;
}

/** The text of the answer in progress, as a reader of deltas shows it. */
class Shown {
  #turn = 0;
  #text = '';

  constructor(private readonly to: Hearing) {}

  add(delta: StreamDelta): void {
    if (delta.turn !== this.#turn || delta.type === 'stream.clear') this.#text = '';
    this.#turn = delta.turn;
    if (delta.type === 'stream.text') this.#text += delta.text;
    if (!isBeginning(this.#text, this.#turn)) {
      this.to.problem(`deltas of turn ${this.#turn} say: ${this.#text}`);
    }
  }
}

import { partialOf } from '../../activities/model/partial-answer';
import type { ModelAnswer } from '../../agent/model/answer';
import type { ContentPart, Message } from '../../agent/model/message';
import { expectedMessage } from '../../agent/plan/answer-message';
import { defined } from '../../agent/values/defined';
import { lookup } from '../activities/model/lookup';
import { type Random, randomFrom } from '../determinism/random/random';
import { askIt, PNG } from './exchange';
import type { Provider, ProviderKind } from './provider';
import type { WireReply } from './wire';
import { WIRE_RULES } from './wire-rules';
import { PROVIDERS } from './wires';

const TURNS = 30;

/** What some providers take only as content, by address, or not at all. */
const DOCUMENTS: ContentPart[] = [
  { type: 'media', mediaType: 'application/pdf', data: 'JVBERi0=', name: 'a.pdf' },
  { type: 'media', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' },
  { type: 'media', mediaType: 'image/svg+xml', data: 'PHN2Zy8+' },
  { type: 'media', mediaType: 'image/bmp', data: 'Qk0=' },
  { type: 'media', mediaType: 'image/heic', data: 'AAAA' },
  { type: 'media', mediaType: 'image/gif', data: 'R0lGODlh' },
];

/** A conversation that asks another provider for each answer. */
class Talk {
  messages: Message[] = [];
  turn = 0;
  broken: string[] = [];
  readonly #random: Random;

  constructor(
    seed: number,
    private readonly open: ReadonlyMap<ProviderKind, { provider: Provider; say(reply: WireReply): void }>,
  ) {
    this.#random = randomFrom(seed);
  }

  async go(): Promise<void> {
    this.#says();
    while (this.turn < TURNS) {
      await this.#asks();
      if (this.messages.at(-1)?.role !== 'assistant') continue;
      const next = this.#random.pick(['say', 'say', 'say', 'undo', 'regenerate'] as const);
      if (next === 'say') this.#says();
      else if (next === 'undo') this.#undo();
      else this.messages.pop();
    }
  }

  async #asks(): Promise<void> {
    const kind = this.#random.pick([...this.open.keys()]);
    const given = this.open.get(kind);
    if (given === undefined) return;
    this.turn++;
    given.say(this.#reply(kind));
    const toolChoice = this.#chance(0.1) ? ('none' as const) : undefined;
    const asked = askIt(given.provider, {
      messages: this.messages,
      call: this.turn,
      ...defined({ toolChoice }),
    });
    const answer = await asked.catch((error: Error) => error);
    const request = given.provider.requests.at(-1);
    if (request === undefined) throw answer;
    const others = [...this.open.keys()].filter((other) => other !== kind).map(({ name }) => `<${name}>`);
    const stolen = others.filter((name) => request.text.includes(name)).map((name) => `a signature of ${name}`);
    const problems = [...(WIRE_RULES[kind.name]?.(request) ?? ['no rules']), ...stolen];
    this.broken.push(...problems.map((problem) => `${kind.name}, turn ${this.turn}: ${problem}`));
    if (answer instanceof Error) this.#interrupted(answer, kind);
    else this.#answered(answer);
  }

  #answered(answer: ModelAnswer): void {
    const message = expectedMessage(answer, this.turn, [lookup]);
    this.messages.push(message);
    for (const part of message.parts) {
      if (part.type !== 'tool_use') continue;
      const { toolUseId, name } = part;
      const isError = this.#chance(0.2) ? { isError: true as const } : {};
      const result = { type: 'tool_result' as const, toolUseId, name, content: this.#result(), ...isError };
      this.messages.push({ role: 'user', parts: [result], turn: this.turn });
    }
  }

  /** A person interrupts: what had arrived stays. */
  #interrupted(error: Error, { name }: ProviderKind): void {
    const partial = partialOf(error);
    if (partial === undefined) this.broken.push(`${name}, turn ${this.turn}: ${error.message}`);
    const { parts = [] } = partial ?? {};
    if (parts.length > 0) this.messages.push({ role: 'assistant', parts, turn: this.turn, partial: true });
    this.#says();
  }

  #undo(): void {
    const opened = this.messages.findLastIndex(
      ({ role, parts }) => role === 'user' && !parts.some(({ type }) => type === 'tool_result'),
    );
    this.messages.length = Math.max(0, opened);
    this.#says();
  }

  #says(): void {
    const text: ContentPart = { type: 'text', text: `Question ${this.turn}?` };
    const { mediaType } = PNG;
    const media = this.#random.pick<ContentPart>([
      PNG,
      { type: 'media', mediaType, url: 'https://example.com/desk.png' },
      ...DOCUMENTS,
    ]);
    this.messages.push({ role: 'user', parts: this.#chance(0.3) ? [text, media] : [text], turn: this.turn });
  }

  #result(): ContentPart[] {
    const text = this.#random.pick(['found', '', ' ', 'a\nb']);
    return this.#random.pick<ContentPart[]>([
      [{ type: 'text', text }],
      [{ type: 'text', text }, PNG],
      [PNG],
      [],
      DOCUMENTS,
    ]);
  }

  #reply({ name, lacks }: ProviderKind): WireReply {
    const thinks = this.#chance(0.5) && !lacks.includes('reasoning');
    const signs = this.#chance(0.7) && !lacks.includes('signature');
    const count = this.#chance(0.5) ? 1 + this.#random.below(4) : 0;
    const text = this.#random.pick(['Yes.', 'No, but\n\nmaybe.', ' ', '\n', 'Look:']);
    return {
      ...(count === 0 || this.#chance(0.4) ? { text } : {}),
      ...(thinks ? { reasoning: this.#random.pick(['Hm.', 'First, then.']) } : {}),
      ...(thinks && signs ? { signature: `<${name}>` } : {}),
      ...(count > 0 ? { calls: Array.from({ length: count }, () => this.#call(lacks.includes('call ids'))) } : {}),
      ...(this.#chance(0.1) ? { fault: { kind: 'cut' as const, after: this.#random.below(6) } } : {}),
    };
  }

  #call(isNameless: boolean): NonNullable<WireReply['calls']>[number] {
    const id = this.#random.pick([
      undefined,
      `call|${this.turn}:${'x'.repeat(60)}${this.#random.next()}`,
      'again',
      't1.1',
    ]);
    const name = this.#random.pick(['look_up', 'look_up', 'no such tool']);
    return { name, arguments: { q: this.#random.pick(['x', 'y']) }, ...(id === undefined || isNameless ? {} : { id }) };
  }

  #chance(of: number): boolean {
    return this.#random.next() < of;
  }
}

it.each(Array.from({ length: 12 }, (_, seed) => seed + 100))(
  'conversation %d, which changes its provider at random, sends each what it takes',
  async (seed) => {
    const open = new Map<ProviderKind, { provider: Provider; say(reply: WireReply): void }>();
    for (const kind of PROVIDERS) {
      let next: WireReply = {};
      // A request may be made again in another way.
      const provider = await kind.open(...Array.from({ length: 4 * TURNS }, () => () => next));
      open.set(kind, {
        provider,
        say: (reply) => {
          next = reply;
        },
      });
    }
    const talk = new Talk(seed, open);
    try {
      await talk.go();
    } finally {
      for (const { provider } of open.values()) await provider.close();
    }
    expect(talk.broken).toEqual([]);
  },
);

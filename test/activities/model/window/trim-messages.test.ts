import fc from 'fast-check';
import { pruneMessages } from '../../../../activities/model/window/trim-messages';
import type { Message, Part } from '../../../../agent/model/message';
import { firstSent } from '../../../../agent/window/cut';

const user = (): Message => ({ role: 'user', parts: [{ type: 'text', text: 'u' }], turn: 0 });
const said = (...calls: string[]): Message => ({
  role: 'assistant',
  turn: 1,
  parts: calls.map((toolUseId): Part => ({ type: 'tool_use', toolUseId, name: 'look', input: {} })),
});
const result = (toolUseId: string): Message => ({
  role: 'user',
  turn: 1,
  parts: [{ type: 'tool_result', toolUseId, name: 'look', content: [] }],
});

/** Questions, answers, calls with their results and notes in between, as in a run. */
const transcript = fc
  .array(fc.constantFrom('question', 'answer', 'one', 'three', 'note'), { minLength: 1, maxLength: 30 })
  .map((kinds) => {
    const messages: Message[] = [user()];
    let opened = 0;
    for (const [n, kind] of kinds.entries()) {
      const ids = kind === 'three' ? ['a', 'b', 'c'].map((id) => `${n}${id}`) : [`${n}`];
      if (kind === 'question') opened = messages.length;
      if (kind === 'question' || kind === 'note') messages.push(user());
      else if (kind === 'answer') messages.push(said());
      else messages.push(said(...ids), ...ids.map(result));
    }
    return { messages, opened };
  });

const sized = fc
  .tuple(transcript, fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 130, maxLength: 130 }))
  .map(([{ messages, opened }, sizes]) => ({ messages, opened, tokens: messages.map((_, i) => sizes[i] ?? 1) }));

const calls = (messages: readonly Message[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_use' ? [part.toolUseId] : [])));
const results = (messages: readonly Message[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part.toolUseId] : [])));

it('keeps order, pairs, the opening message and the last answer, and fits or says that it cannot', () => {
  fc.assert(
    fc.property(sized, fc.nat({ max: 1500 }), ({ messages, opened, tokens }, room) => {
      const { from, sent, tokens: size, fits } = pruneMessages({ messages, tokens, from: 0, opened, room });
      expect([...sent].sort((a, b) => a - b)).toEqual(sent);
      expect(new Set(sent).size).toBe(sent.length);
      const kept = sent.map((i) => messages[i] as Message);
      expect(results(kept)).toEqual(calls(kept));
      expect(results(kept.slice(0, 1))).toEqual([]);
      expect(sent).toContain(opened);
      const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
      for (let i = Math.max(lastAnswer, opened); i < messages.length; i++) expect(sent).toContain(i);
      expect(sent.filter((i) => i >= from)).toEqual(messages.map((_, i) => i).slice(from));
      expect(size).toBe(sent.reduce((sum, i) => sum + (tokens[i] ?? 0), 0));
      expect(fits).toBe(size <= room);
      if (!fits) expect(pruneMessages({ messages, tokens, from, opened, room: 0 }).sent).toEqual(sent);
      if (tokens.reduce((a, b) => a + b, 0) <= room) expect(sent).toHaveLength(messages.length);
    }),
  );
});

it('never sends again, in a transcript that grows, what it has left out', () => {
  fc.assert(
    fc.property(sized, fc.integer({ min: 50, max: 800 }), ({ messages, tokens }, room) => {
      let from = 0;
      let opened = 0;
      for (let length = 1; length <= messages.length; length++) {
        const seen = messages.slice(0, length);
        const last = seen.at(-1) as Message;
        if (last.role === 'user' && results([last]).length === 0) opened = length - 1;
        // A call is made when a batch is complete.
        if (results(seen).length !== calls(seen).length) continue;
        const next = pruneMessages({ messages: seen, tokens: tokens.slice(0, length), from, opened, room });
        expect(next.from).toBeGreaterThanOrEqual(from);
        from = next.from;
      }
    }),
  );
});

it('leaves out a quarter of the room at once, and nothing while all fits', () => {
  const messages = [user(), ...Array.from({ length: 20 }, (_, n) => [said(`${n}`), result(`${n}`)]).flat()];
  const tokens = messages.map(() => 10);
  const room = 300;
  const first = pruneMessages({ messages, tokens, from: 0, opened: 0, room });
  expect(first).toMatchObject({ from: 21, tokens: 210, fits: true });
  const more = [...messages, said('x'), result('x')];
  const second = pruneMessages({ messages: more, tokens: more.map(() => 10), from: first.from, opened: 0, room });
  expect(second).toMatchObject({ from: 21, tokens: 230 });
});

it('finds a place to begin if a rewrite has left less than was sent', () => {
  const messages = [user(), said('a'), result('a'), said('b', 'c'), result('b'), result('c')];
  expect(firstSent({ messages, from: 40, opened: 0 })).toBe(3);
  expect(firstSent({ messages, from: 2, opened: 0 })).toBe(1);
  expect(firstSent({ messages: [], from: 2, opened: -1 })).toBe(0);
});

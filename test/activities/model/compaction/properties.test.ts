import fc from 'fast-check';
import { chooseCut } from '../../../../activities/model/compaction/choose-cut';
import { fitCall } from '../../../../activities/model/window/fit-call';
import { measuredCall, ownCount } from '../../../../activities/model/window/measured-call';
import { FILLED } from '../../../../activities/model/window/trim-messages';
import type { ContextWindow } from '../../../../agent/model/context-window';
import type { Message, Part } from '../../../../agent/model/message';
import type { Manifest } from '../../../../agent/protocol/manifest';
import { cutKeeping } from '../../../../agent/window/cut';
import { sendRoom, summaryRoom, thresholdOf } from '../../../../agent/window/room';
import { plainManifest } from '../../plain-manifest';

const words = (count: number) => 'word '.repeat(count).trim();
const user = (size: number): Message => ({ role: 'user', parts: [{ type: 'text', text: words(size) }], turn: 0 });
const said = (size: number, ...calls: string[]): Message => ({
  role: 'assistant',
  turn: 1,
  parts: [
    { type: 'text', text: words(size) },
    ...calls.map((toolUseId): Part => ({ type: 'tool_use', toolUseId, name: 'look', input: {} })),
  ],
});
const result = (toolUseId: string, size: number): Message => ({
  role: 'user',
  turn: 1,
  parts: [{ type: 'tool_result', toolUseId, name: 'look', content: [{ type: 'text', text: words(size) }] }],
});

const kind = fc.constantFrom('question', 'answer', 'one', 'three');
const run = fc
  .record({
    steps: fc.array(fc.tuple(kind, fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 30 }),
    window: fc.integer({ min: 1000, max: 20_000 }),
    keep: fc.integer({ min: 1, max: 15 }),
    factor: fc.constantFrom(undefined, 0.8, 1, 1.4),
    modelClass: fc.constantFrom(undefined, 'small' as const),
  })
  .map(({ steps, ...rest }) => {
    const messages: Message[] = [user(5)];
    let opened = 0;
    for (const [n, [what, size]] of steps.entries()) {
      const ids = what === 'three' ? ['a', 'b', 'c'].map((id) => `${n}${id}`) : [`${n}`];
      if (what === 'question') {
        opened = messages.length;
        messages.push(user(size));
      } else if (what === 'answer') messages.push(said(size));
      else messages.push(said(1, ...ids), ...ids.map((id) => result(id, size)));
    }
    return { messages, opened, ...rest };
  });

const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
const partsOf = (messages: readonly Message[]) => messages.flatMap(({ parts }) => parts);
const calls = (messages: readonly Message[]) =>
  partsOf(messages).flatMap((part) => (part.type === 'tool_use' ? [part.toolUseId] : []));
const results = (messages: readonly Message[]) =>
  partsOf(messages).flatMap((part) => (part.type === 'tool_result' ? [part.toolUseId] : []));

test('a compacted call fits, with whole pairs, the system prompt, the order and the newest message of a person; a second compaction changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(run, async ({ messages, opened, window, keep, factor, modelClass }) => {
      const manifest: Manifest = {
        ...plainManifest,
        context: { strategy: 'summarise', keep },
        ...(modelClass && { modelClass }),
      };
      const config = { model: 'm', baseUrl: 'http://localhost', contextWindow: window };
      const trimming: ContextWindow = { from: 0, ...(factor === undefined ? {} : { factor }) };
      const call = { turn: 9, trimming, opened };
      const before = await fitCall({ call, config, manifest, context: { metadata: {}, system: 'Be kind' }, messages });
      const cut = chooseCut(before, keep);
      const summary = { text: words(summaryRoom(window, manifest.context) - 30), upTo: cut };
      const after = await fitCall({
        ...before,
        summary,
        call: { ...call, trimming: { ...trimming, from: cut, summary: 'hash' } },
      });

      // Never over the window, unless not even what must be sent fits, which is an error of its own.
      if (after.pruned.fits) expect(ownCount(after) * (factor ?? 1)).toBeLessThanOrEqual(sendRoom(window));
      expect(after.prompt).toMatch(modelClass === 'small' ? /^\[Earlier .*Be kind$/s : /^Be kind$/);
      const sent = after.pruned.sent.map((index) => messages[index] as Message);
      expect(results(sent)).toEqual(calls(sent));
      expect([...after.pruned.sent].sort((a, b) => a - b)).toEqual(after.pruned.sent);
      const newest = messages.findLast((message) => message.role === 'user' && results([message]).length === 0);
      expect(sent).toContain(newest);
      expect(sent).toContain(messages[opened]);
      // The last `keep` stay, unless they leave too little room for the next turn.
      const wanted = cutKeeping(keep, { messages, opened });
      expect(cut).toBeGreaterThanOrEqual(wanted);
      if (cut > wanted) {
        const more = await fitCall({ ...before, summary, call: { ...call, trimming: { ...trimming, from: wanted } } });
        const room = sendRoom(window);
        const whole = more.system + more.tools + more.head + sum(more.choice.tokens);
        expect(whole * (factor ?? 1)).toBeGreaterThan(Math.min(room - thresholdOf(window), room * FILLED) - 60);
      }
      const { trimming: next } = measuredCall(after);
      const again = await fitCall({ ...after, call: { ...call, trimming: next } });
      expect(again.pruned).toEqual(after.pruned);
      expect(chooseCut(again, keep)).toBe(after.pruned.from);
    }),
    { numRuns: 300 },
  );
}, 120_000);

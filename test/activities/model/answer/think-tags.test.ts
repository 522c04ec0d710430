import * as fc from 'fast-check';
import { AnswerDraft } from '../../../../activities/model/answer/draft';
import { afterThinking } from '../../../../activities/model/answer/think-tags';
import type { ModelPart } from '../../../../agent/model/adapter';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { cpuTime } from '../../../measure/cpu-time';

const said = (text: string): ModelPart => ({ type: 'text', text });
const thought = (text: string) => ({ type: 'reasoning', text });

function draftOf(parts: readonly ModelPart[]): { draft: AnswerDraft; deltas: DeltaBody[] } {
  const draft = new AnswerDraft();
  const deltas = parts.flatMap((part) => draft.add([part]));
  return { draft, deltas: [...deltas, ...draft.close()] };
}

/** What a reader sees in the end. */
function shown(deltas: readonly DeltaBody[]): { text: string; reasoning: string } {
  const seen = { text: '', reasoning: '' };
  for (const delta of deltas) {
    if (delta.type === 'stream.clear') Object.assign(seen, { text: '', reasoning: '' });
    if (delta.type === 'stream.text') seen.text += delta.text;
    if (delta.type === 'stream.reasoning') seen.reasoning += delta.text;
  }
  return seen;
}

/** Ways in which a text may arrive: at once, and in pieces of any size. */
const arriving = (text: string) =>
  fc.array(fc.integer({ min: 1, max: 12 }), { minLength: text.length, maxLength: text.length }).map((sizes) => {
    const pieces: ModelPart[] = [];
    for (let at = 0; at < text.length; at += sizes[pieces.length - 1] ?? 1) {
      pieces.push(said(text.slice(at, at + (sizes[pieces.length] ?? 1))));
    }
    return pieces;
  });

describe.each([
  ['tags', '<think>I think.</think>It is.', 'I think.', 'It is.'],
  ['the longer tags', '<thinking>I think.</thinking>It is.', 'I think.', 'It is.'],
  ['tags on lines of their own', '<think>\nI think.\n</think>\n\nIt is.\n', 'I think.\n', 'It is.\n'],
  ['tags after white space', '\n <think>I think.</think> It is.', 'I think.', 'It is.'],
  ['a tag without a beginning', 'I think.\n</think>\n\nIt is.', 'I think.', 'It is.'],
  ['a tag without a beginning, at the end of its line', 'I think.</think>\nIt is.', 'I think.', 'It is.'],
  ['a tag without a beginning, on the line of the answer', 'I think.\n</think>It is.', 'I think.', 'It is.'],
  ['a tag without a beginning, and no answer', 'I think.</think>', 'I think.', ''],
  ['a tag without an end', '<think>I think.', 'I think.', ''],
  ['the other tag within', '<think>I </thinking> think.</think>It is.', 'I </thinking> think.', 'It is.'],
  ['no reasoning in the tags', '<think>\n\n</think>\n\nIt is.', '', 'It is.'],
  ['only an end', '</think>\n\nIt is.', '', 'It is.'],
  ['further tags', '<think>I think.</think>It is.\n<think>no</think>', 'I think.', 'It is.\n<think>no</think>'],
  ['tags after a text', 'It is <think>so</think>.', '', 'It is <think>so</think>.'],
  ['tags in a block of code', 'So:\n<think>\nso\n</think>\n', '', 'So:\n<think>\nso\n</think>\n'],
  ['a sentence about the tag', 'A </think> ends it.', '', 'A </think> ends it.'],
  ['a tag in code', 'Use `</think>`\n', '', 'Use `</think>`\n'],
  ['other tags', '<thin>It</thin> <think >is.', '', '<thin>It</thin> <think >is.'],
  ['the beginning of a tag', 'a < b <thi', '', 'a < b <thi'],
  ['only the beginning of a tag', '<thin', '', '<thin'],
  ['no tags', 'It is.', '', 'It is.'],
])('an answer with %s', (_what, answer, reasoning, text) => {
  const expected = [...(reasoning === '' ? [] : [thought(reasoning)]), ...(text === '' ? [] : [said(text)])];

  test('has the same parts however it arrives, and readers see them', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant([said(answer)]), arriving(answer)), (pieces) => {
        const { draft, deltas } = draftOf(pieces);
        expect(draft.parts).toEqual(expected);
        expect(shown(deltas)).toEqual({ text, reasoning });
      }),
      { numRuns: 50 },
    );
  });

  test('has its text after the reasoning', () => {
    expect(afterThinking(answer).trim()).toBe(text.trim());
  });
});

describe('reasoning in tags', () => {
  test('streams as reasoning while it arrives', () => {
    const draft = new AnswerDraft();
    expect(draft.add([said('<thi')])).toEqual([]);
    expect(draft.add([said('nk>I th')])).toEqual([{ type: 'stream.reasoning', text: 'I th' }]);
    expect(draft.add([said('ink.</th')])).toEqual([{ type: 'stream.reasoning', text: 'ink.' }]);
    expect(draft.add([said('ink>\n')])).toEqual([]);
    expect(draft.add([said('\nIt is.')])).toEqual([{ type: 'stream.text', text: 'It is.' }]);
  });

  test('without a beginning is withdrawn as a text and shown as reasoning', () => {
    const draft = new AnswerDraft();
    expect(draft.add([said('I think.\n')])).toEqual([{ type: 'stream.text', text: 'I think.\n' }]);
    expect(draft.add([said('</think>')])).toEqual([
      { type: 'stream.text', text: '</think>' },
      { type: 'stream.clear' },
      { type: 'stream.reasoning', text: 'I think.' },
    ]);
    expect(draft.add([said('It is.')])).toEqual([{ type: 'stream.text', text: 'It is.' }]);
  });

  test('is text if the provider sends reasoning by itself', () => {
    const own: ModelPart = { type: 'reasoning', text: 'hm', field: 'reasoning_content' };
    const { draft } = draftOf([own, said('<think>so</think>It is.')]);
    expect(draft.parts).toEqual([thought('hm'), said('<think>so</think>It is.')]);
  });

  test('ends before a call', () => {
    const call: ModelPart = { type: 'call', index: 0, name: 'a', arguments: '{}' };
    const { draft } = draftOf([said('I call.</think>'), call, said('</think>\nIt is.')]);
    expect(draft.parts).toEqual([thought('I call.'), said('</think>\nIt is.')]);
    expect(draft.calls.list).toMatchObject([{ name: 'a', arguments: '{}' }]);
  });

  test('in very many pieces takes linear time', async () => {
    let draft = new AnswerDraft();
    const took = await cpuTime(() => {
      draft = new AnswerDraft();
      for (let i = 0; i < 100_000; i++) draft.add([said(i % 2 === 0 ? '</' : '<thin')]);
    }, 5000);
    // 100 ms; if each piece were searched for from the beginning, minutes.
    expect(took).toBeLessThan(5000);
    expect(draft.parts).toHaveLength(1);
  });
});

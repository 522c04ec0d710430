import { AnswerDraft } from '../../../../activities/model/answer/draft';
import type { ModelPart } from '../../../../agent/model/adapter';

const thought = (id: string, text: string, signature?: string): ModelPart => ({
  type: 'reasoning',
  id,
  text,
  ...(signature === undefined ? {} : { providerData: { signature } }),
});
const partsOf = (...parts: ModelPart[]) => {
  const draft = new AnswerDraft();
  for (const part of parts) draft.add([part]);
  return draft.parts;
};

describe('reasoning with an id', () => {
  test('another id begins another part', () => {
    expect(partsOf(thought('a', 'one'), thought('b', 'two'))).toEqual([
      { type: 'reasoning', text: 'one' },
      { type: 'reasoning', text: 'two' },
    ]);
  });

  test('a signature after the text still belongs to its reasoning', () => {
    expect(partsOf(thought('a', 'hm'), { type: 'text', text: 'Yes.' }, thought('a', '', 's'))).toEqual([
      { type: 'reasoning', text: 'hm', providerData: { signature: 's' } },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('parts that arrive in turns stay apart', () => {
    const parts = [thought('a', '1'), thought('b', 'x'), thought('a', '2', 's'), thought('b', 'y', 't')];
    expect(partsOf(...parts)).toEqual([
      { type: 'reasoning', text: '12', providerData: { signature: 's' } },
      { type: 'reasoning', text: 'xy', providerData: { signature: 't' } },
    ]);
  });

  test('a signature without a text is a part of its own', () => {
    expect(partsOf(thought('a', '', 's'), { type: 'text', text: 'Yes.' })).toEqual([
      { type: 'reasoning', text: '', providerData: { signature: 's' } },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('an endless row of ids is bounded', () => {
    const draft = new AnswerDraft([], 10_000);
    for (let i = 0; i < 2000; i++) draft.add([thought(`id-${i}`, 'x')]);
    expect(draft.full).toBe(true);
    expect(draft.parts.length).toBeLessThan(400);
  });
});

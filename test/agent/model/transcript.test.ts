import fc from 'fast-check';
import { BYTES } from '../../../agent/limits';
import type { Message } from '../../../agent/model/message';
import { EMPTY_HASH, firstPage, TranscriptIndex, transcriptPage } from '../../../agent/model/transcript';

const message = (text: string, turn = 1): Message => ({ role: 'user', parts: [{ type: 'text', text }], turn });
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const messages = ['one', 'zwölf', 'three', '😀'].map((text) => message(text));

describe('TranscriptIndex', () => {
  it('names every prefix by its length and a separate hash', () => {
    const index = new TranscriptIndex();
    const refs = [0, 1, 2, 3, 4].map((length) => index.ref(messages, 0, length));
    expect(refs).toEqual(
      refs.map(({ hash }, length) => ({ epoch: 0, length, hash: length === 0 ? EMPTY_HASH : hash })),
    );
    expect(new Set(refs.map(({ hash }) => hash)).size).toBe(5);
    expect(index.ref(messages, 0)).toEqual(refs[4]);
    expect(index.ref([], 0)).toEqual(refs[0]);
  });

  it('gives the same result for a transcript that grew step by step and one that came whole', () => {
    const grown = new TranscriptIndex();
    for (let length = 0; length <= messages.length; length++) {
      expect(grown.ref(messages.slice(0, length), 0)).toEqual(new TranscriptIndex().ref(messages, 0, length));
    }
    expect(grown.bytes(messages, 0, 0)).toBe(new TranscriptIndex().bytes(messages, 0, 0));
  });

  it('tells transcripts apart by any message and by their order', () => {
    const hashOf = (given: readonly Message[]) => new TranscriptIndex().ref(given, 0).hash;
    const others = [
      messages,
      [...messages].reverse(),
      [message('other'), ...messages.slice(1)],
      messages.map((one) => ({ ...one, turn: 2 })),
    ];
    expect(new Set(others.map(hashOf)).size).toBe(4);
  });

  it('counts the bytes of the messages from one on', () => {
    const index = new TranscriptIndex();
    fc.assert(
      fc.property(fc.nat({ max: messages.length }), (from) => {
        const sum = messages.slice(from).reduce((total, one) => total + bytes(one), 0);
        expect(index.bytes(messages, 0, from)).toBe(sum);
      }),
    );
    expect(index.bytes([], 0, 0)).toBe(0);
  });

  it('starts over with another epoch, and only then', () => {
    const index = new TranscriptIndex();
    const before = index.ref(messages, 0);
    const rewritten = [message('summary')];
    expect(index.ref(rewritten, 1)).toEqual({ ...new TranscriptIndex().ref(rewritten, 0), epoch: 1 });
    expect(index.bytes(rewritten, 1, 0)).toBe(bytes(rewritten[0]));
    expect(index.ref(messages, 2)).toEqual({ ...before, epoch: 2 });
  });

  it('reads every message of an epoch once, however often it is called', () => {
    let reads = 0;
    const counted = messages.map((one) => ({ ...one, toJSON: () => ({ ...one, read: ++reads > 0 }) }));
    const index = new TranscriptIndex();
    for (const length of [1, 2, 4, 4]) index.ref(counted.slice(0, length), 3);
    index.bytes(counted, 3, 1);
    expect(reads).toBe(4);
  });
});

describe('firstPage', () => {
  // Five bytes of JSON each.
  const items = ['abc', 'def', 'ghi', 'ü1'];

  it.each([
    [0, 20, items],
    [0, 19, ['abc', 'def', 'ghi']],
    [0, 15, ['abc', 'def', 'ghi']],
    [0, 14, ['abc', 'def']],
    [0, 5, ['abc']],
    [0, 1, ['abc']],
    [1, 10, ['def', 'ghi']],
    [3, 100, ['ü1']],
    [4, 100, []],
    [9, 100, []],
  ])('from %i on, %i bytes hold %j', (from, max, page) => {
    expect(firstPage(items, from, max)).toEqual(page);
  });

  it('is empty without items', () => {
    expect(firstPage([], 0)).toEqual([]);
  });

  it('holds as much as one page of the transcript may by default', () => {
    const half = 'x'.repeat(BYTES.page / 2 - 2);
    expect(firstPage([half, half, half], 0)).toHaveLength(2);
    expect(firstPage([half, `${half}x`, half], 0)).toHaveLength(1);
  });

  it('returns every item once, in order, page by page', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 })), fc.integer({ min: 1, max: 60 }), (all, max) => {
        const read: string[] = [];
        while (read.length < all.length) read.push(...firstPage(all, read.length, max));
        expect(read).toEqual(all);
      }),
    );
  });
});

it('a page of a transcript has its start and the length of the whole', () => {
  const page = { epoch: 7, length: 4, first: 0 };
  expect(transcriptPage(messages, 7, 1)).toEqual({ ...page, from: 1, messages: messages.slice(1) });
  expect(transcriptPage(messages, 7, 4)).toEqual({ ...page, from: 4, messages: [] });
});

import { cutText } from '../../../../activities/model/compaction/cut-text';
import { transcriptText } from '../../../../activities/model/compaction/transcript-text';
import { loadTokenizer } from '../../../../activities/model/window/count-tokens';
import { shortenResults } from '../../../../activities/model/window/shorten-results';
import type { Message } from '../../../../agent/model/message';

const count = loadTokenizer();
const result = (text: string, isError?: true): Message => ({
  role: 'user',
  parts: [
    {
      ...{ type: 'tool_result', toolUseId: 't1.1', name: 'look', content: [{ type: 'text', text }] },
      ...(isError && { isError }),
    },
  ],
  turn: 1,
});
const messages: Message[] = [
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'Look at it' },
      { type: 'media', mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
    ],
    turn: 0,
  },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'a secret thought' },
      { type: 'tool_use', toolUseId: 't1.1', name: 'look', input: { at: 'it' } },
    ],
    turn: 1,
  },
  result('it is blue'),
  result('no such thing', true),
];

describe('the text that is summed up', () => {
  it('has who said what, calls, results and errors, without reasoning and the data of media', async () => {
    expect(await transcriptText(messages, { room: 1000, count })).toBe(
      [
        'user: Look at it',
        'user: [image, png, "a.png"]',
        'assistant calls look (t1.1): {"at":"it"}',
        'result of look (t1.1): it is blue',
        'error of look (t1.1): no such thing',
      ].join('\n'),
    );
  });

  it('keeps both ends of a long result', async () => {
    const text = await transcriptText([result(`begin${'-'.repeat(9000)}end`)], { room: 9000, count });
    expect(text).toMatch(/^result of look \(t1\.1\): begin-{900,} \[…\] -{900,}end$/);
    expect(text.length).toBeLessThan(2100);
  });

  it('keeps the first and the newest messages where not all fit', async () => {
    const many = Array.from({ length: 50 }, (_, n) => result(`R${n} ${'word '.repeat(50)}`));
    const text = await transcriptText(many, { room: 700, count });
    const lines = text.split('\n');
    expect(lines[0]).toMatch(/: R0 /);
    expect(lines[1]).toBe(`[${50 - lines.length + 1} messages are left out here]`);
    expect(lines.at(-1)).toMatch(/: R49 /);
    expect(count(text).tokens).toBeLessThanOrEqual(700 + 20);
  });
});

describe('a text of at most so many tokens', () => {
  it.each(['word '.repeat(400), '那是一只敏捷的棕色狐狸。'.repeat(200), '🦊🐶'.repeat(300)])('%.10s', (text) => {
    const cut = cutText(text, 100, count);
    expect(text.startsWith(cut)).toBe(true);
    expect(count(cut).tokens).toBeLessThanOrEqual(100);
    expect(count(cut).tokens).toBeGreaterThan(90);
    // Half of a surrogate pair cannot be encoded.
    expect(() => encodeURIComponent(cut)).not.toThrow();
  });

  it('stays as it is if it fits', () => {
    expect(cutText('short', 100, count)).toBe('short');
  });
});

describe('old results', () => {
  const long = result('x'.repeat(300));
  const short = result('x'.repeat(200));

  it('become one line; short ones, errors and newer ones stay', () => {
    const failed = result('x'.repeat(300), true);
    const all = [long, short, failed, long];
    const [first, ...rest] = shortenResults(all, 3);
    expect(first?.parts).toMatchObject([
      { toolUseId: 't1.1', content: [{ text: expect.stringMatching(/^\[result t1\.1, 300 characters, removed/) }] },
    ]);
    expect(rest).toEqual([short, failed, long]);
    // The same object each time: it is counted once.
    expect(shortenResults(all, 3)[0]).toBe(first);
    expect(shortenResults(all)).toBe(all);
  });
});

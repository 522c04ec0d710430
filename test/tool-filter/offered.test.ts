import fc from 'fast-check';
import { bm25Ranker } from '../../activities/tool-filter/bm25';
import { offerTools } from '../../activities/tool-filter/offer-tools';
import { Rankers } from '../../activities/tool-filter/rankers';
import { stem, termsOf } from '../../activities/tool-filter/words';
import type { Message } from '../../agent/model/message';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { needOf } from '../../agent/tool-filter/need';
import { inWords, wholeText } from '../../agent/tool-filter/tool-text';

const rankers = new Rankers({}, { warn() {} });

function spec(name: string, kind: 'internal' | 'loop'): ToolSpec {
  const policy = {
    effect: 'read',
    priority: 0,
    timeout: 1,
    attempts: 1,
    placement: 'activity',
    cancellation: 'wait',
  } as const;
  const form = { name, modelName: name, description: `Does ${name}`, inputSchema: {}, ...policy };
  return kind === 'loop' ? { ...form, kind, loop: { does: 'ask' } } : { ...form, kind };
}
const user = (text: string, turn = 0): Message => ({ role: 'user', parts: [{ type: 'text', text }], turn });
const model = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }], turn: 1 });

describe('the tools of a call', () => {
  const name = fc.stringMatching(/^[a-z]{3,6}(_[a-z]{3,6}){0,2}$/).filter((one) => one !== 'search_tools');
  const situation = fc.record({
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 60 }),
    loops: fc.uniqueArray(fc.constantFrom('ask_question', 'converse'), { maxLength: 2 }),
    top: fc.integer({ min: 1, max: 20 }),
    kept: fc.array(fc.nat(), { maxLength: 10 }),
    always: fc.array(fc.nat(), { maxLength: 5 }),
    request: fc.string({ maxLength: 200 }),
  });

  test('are never without those of the loop, those that were used, and those of `always`; the others are at most `top`', async () => {
    await fc.assert(
      fc.asyncProperty(situation, async ({ names, loops, top, kept: keptAt, always: alwaysAt, request }) => {
        const pick = (places: number[]) => [...new Set(places.map((at) => names[at % names.length] as string))];
        const [kept, always] = [pick(keptAt), pick(alwaysAt)];
        const tools = [
          ...names.map((one) => spec(one, 'internal')),
          ...loops.map((one) => spec(one, 'loop')),
          spec('search_tools', 'internal'),
        ];
        const manifest = { tools, toolFilter: { top, always } };
        const asked = { filter: { kept, opened: 0 }, messages: [user(request)] };
        const offer = await offerTools(rankers, manifest, asked);
        const offered = offer?.tools.map((tool) => tool.name) ?? [];
        expect(offered).toEqual(expect.arrayContaining([...kept, ...always, ...loops]));
        const ranked = offered.filter((one) => ![...kept, ...always, ...loops, 'search_tools'].includes(one));
        expect(ranked.length).toBeLessThanOrEqual(top);
        expect(offered.includes('search_tools')).toBe(offer?.told.hidden !== 0);
        // In the order of the manifest, and the same each time.
        expect(offered).toEqual(tools.map((tool) => tool.name).filter((one) => offered.includes(one)));
        expect(await offerTools(rankers, manifest, asked)).toEqual(offer);
        // An earlier ranking gives the same tools without ranking any.
        const again = await offerTools(rankers, manifest, {
          messages: [user('something else')],
          filter: { kept, opened: 0, ranked: offer?.told.ranked ?? [] },
        });
        expect(again?.tools).toEqual(offer?.tools);
        expect(again?.told).not.toHaveProperty('ranker');
      }),
    );
  });

  test('are all of them for an agent without a filter, whatever the run says', async () => {
    const tools = [spec('a', 'internal')];
    expect(await offerTools(rankers, { tools }, { filter: { kept: [], opened: 0 }, messages: [] })).toBeUndefined();
  });
});

describe('what a conversation needs', () => {
  test.each<[string, Message[], number, string]>([
    ['the request', [user('refund order 7')], 0, 'refund order 7'],
    [
      'the request and what the model said last',
      [user('refund it'), model('I look for the order')],
      0,
      'refund it\nI look for the order',
    ],
    [
      'a later message as well',
      [user('refund it'), model('Sure'), user('only half', 1)],
      0,
      'refund it\nonly half\nSure',
    ],
    [
      'the question that "yes" answers',
      [user('hi'), model('Shall I book the room?'), user('yes')],
      2,
      'yes\nShall I book the room?',
    ],
    ['nothing of a transcript without texts', [{ role: 'user', parts: [], turn: 0 }], 0, ''],
    [
      'no results of tools',
      [
        user('go'),
        {
          role: 'user',
          turn: 1,
          parts: [{ type: 'tool_result', toolUseId: 't1.1', name: 'x', content: [{ type: 'text', text: 'noise' }] }],
        },
      ],
      0,
      'go',
    ],
  ])('is %s', (_, messages, opened, need) => {
    expect(needOf(messages, opened)).toBe(need);
  });

  test('is short, however long the messages are', () => {
    const long = 'word '.repeat(100_000);
    expect(needOf([user(long), model(long), user(long.slice(3))], 0).length).toBeLessThan(2000);
  });
});

describe('the text of a tool', () => {
  test.each([
    ['files.readTextFile', 'files read Text File'],
    ['get_HTTPHeaders', 'get HTTP Headers'],
    ['get-sum', 'get sum'],
    ['__proto__', 'proto'],
  ])('%s in words is %s', (name, words) => {
    expect(inWords(name)).toBe(words);
  });

  test('has its name, its description and the names of its parameters', () => {
    const inputSchema = { type: 'object', properties: { sourcePath: {}, to: {} } };
    expect(wholeText({ name: 'files.move_file', description: 'Moves it', inputSchema })).toBe(
      'files move file. Moves it. source Path to',
    );
    expect(wholeText({ name: 'x', description: '', inputSchema: { properties: ['strange'] } })).toBe('x');
  });
});

describe('the ranking by words', () => {
  test.each([
    ['files', 'file'],
    ['renaming', 'rename'],
    ['renamed', 'rename'],
    ['directories', 'directory'],
    ['merged', 'merging'],
    ['commits', 'commit'],
    ['branches', 'branch'],
  ])('takes %s and %s for one word', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  test.each([['class'], ['sms'], ['über'], ['4f2a']])('leaves %s as it is', (word) => {
    expect(stem(word)).toBe(word);
  });

  test('ignores words without a meaning', () => {
    expect(termsOf('Could you please do this for me?')).toEqual([]);
  });

  test('takes any text, and gives each tool a finite score', async () => {
    const tools = [spec('constructor', 'internal'), spec('__proto__', 'internal'), spec('a', 'internal')];
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('constructor __proto__')), async (text) => {
        const scores = await bm25Ranker().score(text, tools);
        expect(scores).toHaveLength(3);
        expect(scores.every((score) => Number.isFinite(score) && score >= 0)).toBe(true);
      }),
    );
  });
});

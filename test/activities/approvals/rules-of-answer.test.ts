import type { Ctx } from '../../../agent/define/context';
import { hashOfArguments, sha256 } from '../../../runtime/sha256';
import { hash, judge, refund, rules, tool, withTool } from './judge';

test('a call needs a person if `when` says so about its arguments, as the schema transforms them', async () => {
  const amounts: number[] = [];
  const when = ({ amount }: { amount: number }) => {
    amounts.push(amount);
    return amount > 0.5;
  };
  const approval = rules({ when });
  const calls = [70, 20].map((amount) => ({ name: 'refund', input: { ...refund, amount } }));
  const ruled = await judge({ tools: { refund: tool(approval) } as never, calls });
  expect(ruled).toEqual([
    { needed: true, key: '' },
    { needed: false, key: '' },
  ]);
  expect(amounts).toEqual([0.7, 0.2]);
});

test('`when` knows the run and the call from the same ctx as tools', async () => {
  const seen: Ctx[] = [];
  await withTool(rules({ when: (_: unknown, ctx: Ctx) => seen.push(ctx) }));
  expect(seen[0]).toMatchObject({ id: 'run-1', toolUseId: 't3.1', turn: 3, owner: 'u1', metadata: { tier: 'gold' } });
});

test.each([
  ['gives a promise of false', async () => false, false],
  ['gives nothing', () => undefined, false],
  ['gives something that is not true', () => 'yes', true],
  [
    'throws',
    () => {
      throw new Error('no rates today');
    },
    true,
  ],
  ['rejects', () => Promise.reject(new Error('no rates today')), true],
])('where `when` %s, the call needs a person', async (_, when, needed) => {
  expect(await withTool(rules({ when }))).toEqual([{ needed, key: '' }]);
});

test('a function that throws is logged, without the arguments', async () => {
  const warned: object[] = [];
  await withTool(
    rules({
      when: () => {
        throw new Error('no rates today');
      },
    }),
    warned,
  );
  expect(warned).toEqual([{ id: 'run-1', toolUseId: 't3.1', tool: 'refund', problem: 'no rates today' }]);
});

test.each([
  ['a text', ({ account }: typeof refund) => account, 'by:a1'],
  ['a text in a promise', async ({ account }: typeof refund) => account, 'by:a1'],
  [
    'an error',
    () => {
      throw new Error('broken');
    },
    hash(refund),
  ],
  ['a rejection', () => Promise.reject(new Error('broken')), hash(refund)],
  ['no text', () => 7, hash(refund)],
  ['nothing', () => undefined, hash(refund)],
  ['an empty text, which would cover every call', () => '', hash(refund)],
])('if `rememberBy` gives %s, a decision never covers more than it says', async (_, rememberBy, key) => {
  expect(await withTool(rules({ rememberBy }))).toEqual([{ needed: true, key }]);
});

test('a long text of `rememberBy` is kept as a hash, equal for equal texts only', async () => {
  const long = (end: string) => withTool(rules({ rememberBy: () => 'x'.repeat(5000) + end }));
  const [one, same, other] = await Promise.all([long('a'), long('a'), long('b')]);
  expect(one?.[0]?.key).toHaveLength(74);
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

test('arguments that do not fit the schema of the tool need a person, and a decision covers only them', async () => {
  const input = { account: 'a1' };
  const approval = rules({ when: () => false, rememberBy: () => 'k' });
  const calls = [{ name: 'refund', input }];
  const ruled = await judge({ tools: { refund: tool(approval) } as never, calls });
  expect(ruled).toEqual([{ needed: true, key: hash(input) }]);
});

test('no text of `rememberBy` gives the key of arguments, or of another text', async () => {
  const keyBy = async (text: string) => (await withTool(rules({ rememberBy: () => text })))[0]?.key;
  const long = 'x'.repeat(5000);
  const texts = [hash(refund), hashOfArguments(refund), 'by:a', 'a', long];
  const keys = await Promise.all([...texts, sha256(long), `by-sha256:${sha256(long)}`].map(keyBy));
  expect(new Set([...keys, hash(refund), '']).size).toBe(keys.length + 2);
});

import { type ChatRequest, call, text } from 'holdfast/testing';
import { breakersIn, lastMessage, openBreakers, plain, ran, saying, strict, times } from './breakers';

const stage = openBreakers();

describe('every agent', () => {
  test.each(['fail', 'crash'])(
    'a call of `%s` that always fails is told, refused, and then concludes',
    async (name) => {
      const last = saying('It cannot be done');
      stage.kit.model.script(...times(6, call(name, { n: 1 })), last.step);
      const { data, facts } = await stage.ended(plain);
      expect(data).toBe('It cannot be done');
      expect(ran).toHaveLength(5);
      expect(breakersIn(facts)).toEqual(['breaker.failing', 'breaker.skipped', 'breaker.stopped']);
      // The tools stay, for the provider's cache.
      expect(last.asked[0]?.tools).toHaveLength(5);
      expect(last.asked[0]?.tool_choice).toBe('none');
      expect(lastMessage(last.asked[0] as ChatRequest)).toContain('You repeat the same call');
    },
  );

  test.each([
    ['an unknown tool', call('nowhere', { n: 1 })],
    ['arguments that do not fit', call('look', { n: 'x' })],
    ['arguments that are not JSON', call('look', 'not json')],
  ])('%s, again and again, ends in the same way', async (_what, step) => {
    stage.kit.model.script(...times(6, step), text('Sorry'));
    const { data, facts } = await stage.ended(plain);
    expect(data).toBe('Sorry');
    expect(breakersIn(facts).at(-1)).toBe('breaker.stopped');
  });

  test('a model that was told once is stopped at once when it does the same with another call', async () => {
    stage.kit.model.script(...times(5, call('fail', { n: 1 })), ...times(5, call('fail', { n: 2 })), text('Enough'));
    const { data, facts } = await stage.ended(plain);
    expect(data).toBe('Enough');
    expect(breakersIn(facts)).toEqual(['breaker.failing', 'breaker.stopped']);
  });

  test('four failures, a success, other arguments, and repeated successes change nothing', async () => {
    const last = saying('done');
    stage.kit.model.script(
      ...[...times(4, call('fail', { n: 1 })), call('look', { n: 1 }), ...times(4, call('fail', { n: 1 }))],
      ...[...times(6, call('look', { n: 1 })), call('fail', { n: 2 }), call('fail', { n: 3 })],
      last.step,
    );
    const { facts } = await stage.ended(plain);
    expect(breakersIn(facts)).toEqual([]);
    expect(last.asked[0]?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('an agent may set the number', async () => {
    stage.kit.model.script(...times(3, call('fail', { n: 1 })), text('no'));
    expect((await stage.ended(strict)).data).toBe('no');
    expect(ran).toHaveLength(2);
  });

  test('a conclusion that is not valid fails the run with its reason', async () => {
    stage.kit.model.script(...times(3, call('fail', { n: 1 })), text(''));
    expect((await stage.ended(strict)).error).toMatchObject({ type: 'NoProgress', data: { why: 'repeating' } });
  });
});

import { LookPace } from '../../../client/feed/look-pace';

afterEach(() => jest.useRealTimers());

const never = () => new AbortController().signal;

it('spaces looks out over time, however many ask', async () => {
  const pace = new LookPace(200);
  const began = performance.now();
  await Promise.all(Array.from({ length: 41 }, () => pace.turn({ urgent: false }, never())));
  expect(performance.now() - began).toBeGreaterThanOrEqual(195);
});

it('lets urgent looks go first, also those that become urgent while they wait', async () => {
  // All of them ask at one moment, also on a busy machine.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const pace = new LookPace(500);
  const order: string[] = [];
  const looks = ['a', 'b', 'c', 'd'].map((name) => ({ name, urgent: false }));
  const turns = looks.map((look) => pace.turn(look, never()).then(() => order.push(look.name)));
  const late = { name: 'late', urgent: true };
  turns.push(pace.turn(late, never()).then(() => order.push(late.name)));
  (looks[3] as { urgent: boolean }).urgent = true;
  await jest.runAllTimersAsync();
  await Promise.all(turns);
  expect(order).toEqual(['a', 'd', 'late', 'b', 'c']);
});

it('forgets a look whose reader leaves', async () => {
  const pace = new LookPace(100);
  const left = new AbortController();
  await pace.turn({ urgent: false }, never());
  const gone = pace.turn({ urgent: true }, left.signal);
  const next = pace.turn({ urgent: false }, never());
  left.abort(new Error('left'));
  await expect(gone).rejects.toThrow('left');
  await next;
  await expect(pace.turn({ urgent: false }, left.signal)).rejects.toThrow('left');
});

import { KeptBodies } from '../kit/kept-bodies';

const body = (model: string) => ({ model, messages: [] });

it('keeps the newest bodies of a model server, and reports which are gone', () => {
  const bodies = new KeptBodies(100);
  const [first, second, third] = ['a', 'b', 'c'].map((model) => bodies.keep(body(model), 40));
  expect(first).toThrow('The body of request 1 is no longer kept: only the newest 100 characters are');
  expect([second?.(), third?.()]).toEqual([body('b'), body('c')]);
});

it('keeps the newest body whatever its size', () => {
  const bodies = new KeptBodies(100);
  const old = bodies.keep(body('a'), 10);
  expect(bodies.keep(body('b'), 1000)()).toEqual(body('b'));
  expect(old).toThrow('no longer kept');
});

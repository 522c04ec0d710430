import { Ends } from '../../../runtime/process/ends';

it('closes everything once, the last first, and throws what one threw after that', async () => {
  const closed: string[] = [];
  const ends = new Ends();
  ends.add(() => closed.push('first'));
  ends.add(undefined);
  ends.add(async () => {
    closed.push('second');
    throw new Error('stuck');
  });
  ends.add(() => closed.push('third'));
  await expect(ends.close()).rejects.toThrow('stuck');
  await ends.close();
  expect(closed).toEqual(['third', 'second', 'first']);
});

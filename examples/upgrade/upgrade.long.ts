import { upgrade } from './upgrade';

it('upgrades conversations live, and loses none', async () => {
  const lines: string[] = [];
  const { sent, answered, lost } = await upgrade(50, (line) => lines.push(line));
  expect(sent).toBeGreaterThanOrEqual(100);
  expect({ answered, lost }).toEqual({ answered: sent, lost: 0 });
  expect(lines.at(-1)).toMatch(/ s +0 +50 +\d+ +\d+ +\d+ {3}all conversations go on$/);
});

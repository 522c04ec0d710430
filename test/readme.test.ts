import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(__dirname, '..', path), 'utf8');

it.each(['agents.ts', 'agents.test.ts'])('the README shows %s of the first agent as it is', (file) => {
  expect(read('README.md')).toContain(read(`examples/first-agent/${file}`));
});

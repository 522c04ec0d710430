import { dirname, join } from 'node:path';
import { Pty } from './pty';

const JITI = join(dirname(require.resolve('jiti/package.json')), 'lib/jiti-cli.mjs');
const PROGRAM = join(__dirname, '../fixtures/slow-pick.ts');

test('what is typed while the menu is drawn again reaches it, Enter included', async () => {
  const screen = new Pty(process.execPath, [JITI, PROGRAM], { cwd: __dirname, env: { ...process.env, TERM: 'xterm' } });
  try {
    await screen.sees('May it?');
    for (let i = 0; i < 3; i++) {
      screen.type('do not\r', 5);
      await screen.sees('A text decides nothing');
    }
  } finally {
    screen.kill();
    await screen.exit;
  }
});

import { join } from 'node:path';
import { FIXTURES, RUN_TS } from '../../sources';
import { Pty } from '../pty';

const PROGRAM = join(FIXTURES, 'slow-pick.ts');

test('keys that are typed while the menu is drawn again reach it, Enter included', async () => {
  const screen = new Pty(process.execPath, [RUN_TS, PROGRAM], {
    cwd: __dirname,
    env: { ...process.env, TERM: 'xterm' },
  });
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

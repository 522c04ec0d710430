import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startDevServer } from '../../workers/dev/dev-server';
import { closeAfterTest } from '../close-after-test';
import { FIXTURES, RUN_TS } from '../sources';

/** Ends with the test's time if the program does not. */
async function outputAt(address: string): Promise<string> {
  const env = { ...process.env, TEMPORAL_ADDRESS: address };
  const program = spawn(process.execPath, [RUN_TS, `${FIXTURES}/refused-worker.ts`], { env });
  closeAfterTest({ close: async () => program.kill('SIGKILL') });
  const [output] = await Promise.all([text(program.stdout), once(program, 'exit')]);
  return output;
}

describe('a program that goes on without a worker that it cannot make', () => {
  it('ends by itself if an option was refused', async () => {
    const server = await startDevServer({ ui: false });
    closeAfterTest({ close: () => server.stop() });
    expect(await outputAt(server.address)).toBe('InvalidDefinition');
  });

  it('ends by itself if there was no server', async () => {
    expect(await outputAt('127.0.0.1:1')).toBe('NoServer');
  });
});

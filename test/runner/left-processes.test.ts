import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ended } from '../../runtime/process/child-process';
import { endProcessesWith } from './left-processes';

const NAME = 'HOLDFAST_LEFT_PROCESSES';

async function sleeper(value: string, milliseconds: number) {
  const script = `console.log(); setTimeout(() => {}, ${milliseconds})`;
  const child = spawn(process.execPath, ['-e', script], { env: { ...process.env, [NAME]: value } });
  await once(child.stdout, 'data');
  return child;
}

it('ends the processes of a run of tests that have not ended by themselves, and no others', async () => {
  const [left, brief, other] = await Promise.all([sleeper('mine', 1e9), sleeper('mine', 100), sleeper('other', 1e9)]);
  const command = expect.stringMatching(/node.* -e console\.log/);
  expect(await endProcessesWith(NAME, 'mine', 2000)).toEqual([{ pid: left.pid, command }]);
  await Promise.all([ended(left), ended(brief)]);
  expect([left.signalCode, brief.exitCode, other.exitCode, other.signalCode]).toEqual(['SIGKILL', 0, null, null]);
  other.kill();
  expect(await endProcessesWith(NAME, 'other', 10_000)).toEqual([]);
});

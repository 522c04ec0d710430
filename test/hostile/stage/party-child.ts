import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { ended, endWithParent } from '../../../runtime/process/child-process';
import { RUN_TS } from '../../sources';

/** The process of the hostile party. */
export class Party {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<Party> {
    const child = fork(RUN_TS, [require.resolve('./party')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    endWithParent(child);
    const [url] = await once(child, 'message');
    return new Party(child, url as string);
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    await ended(this.child);
  }
}

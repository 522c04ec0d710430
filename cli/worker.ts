import { defined } from '../agent/values/defined';
import type { Config } from '../runtime/config/config';
import { say } from '../runtime/print';
import { type WorkerMessage, workerProcess } from '../workers/worker-process';
import { exitCodeOf } from './exit-code';
import { missingProgramLine } from './lines/dev-lines';
import { connectClient } from './with-client';

/** `holdfast worker`: prints one line when it is ready, then its log on standard error. */
export function worker({ config }: { config?: string }): Promise<number> {
  const tell = (message: WorkerMessage) => {
    if (message.type !== 'ready') return;
    const { pid, taskQueue, agents, missingPrograms } = message;
    say(
      `Worker ${pid} polls the task queue ${taskQueue} for ${agents.map(({ name }) => name).join(', ')}`,
      ...missingPrograms.map(missingProgramLine),
    );
  };
  return workerProcess({ ...defined({ config }), reach }, tell, exitCodeOf);
}

/** The connection of a client tells whether a server answers: the worker has another one, of its own kind. */
async function reach(config: Config): Promise<void> {
  const client = await connectClient(config);
  await client.close();
}

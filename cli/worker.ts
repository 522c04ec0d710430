import { say } from '../runtime/print';
import { type WorkerMessage, workerProcess } from '../workers/worker-process';
import { exitCodeOf } from './exit-code';

/** `holdfast worker`: prints one line when it is ready, then its log on standard error. */
export function worker({ config }: { config?: string }): Promise<number> {
  const tell = (message: WorkerMessage) => {
    if (message.type !== 'ready') return;
    const { pid, taskQueue, agents } = message;
    say(`Worker ${pid} polls the task queue ${taskQueue} for ${agents.join(', ')}`);
  };
  return workerProcess(config, tell, exitCodeOf);
}

import { say } from '../runtime/print';
import { workerProcess } from '../workers/worker-process';

/** `holdfast worker`: prints one line when it is ready, then its log on standard error. */
export function worker({ config }: { config?: string }): Promise<number> {
  return workerProcess(config, (message) => {
    if (message.type !== 'ready') return;
    const { pid, taskQueue, agents } = message;
    say(`Worker ${pid} polls the task queue ${taskQueue} for ${agents.join(', ')}`);
  });
}

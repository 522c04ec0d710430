import { say } from '../runtime/print';
import { workerProcess } from '../workers/worker-process';

/** `holdfast worker`: one line when it works, then its log on standard error. */
export function worker({ config }: { config?: string }): Promise<number> {
  return workerProcess(config, (message) => {
    if (message.type !== 'ready') return;
    const { pid, taskQueue, agents } = message;
    say(`Worker ${pid} polls the task queue ${taskQueue} for ${agents.join(', ')}`);
  });
}

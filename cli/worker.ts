import { defined } from '../agent/values/defined';
import { say } from '../runtime/print';
import { workerProcess } from '../workers/worker-process';
import { missingProgramLine } from './lines/dev-lines';

/** `holdfast worker`: prints one line when it is ready, then its log on standard error. */
export function worker({ config }: { config?: string }): Promise<number> {
  return workerProcess(defined({ config }), (message) => {
    if (message.type !== 'ready') return;
    const { pid, taskQueue, agents, missingPrograms } = message;
    say(
      `Worker ${pid} polls the task queue ${taskQueue} for ${agents.map(({ name }) => name).join(', ')}`,
      ...missingPrograms.map(missingProgramLine),
    );
  });
}

import { defined } from '../agent/values/defined';
import { say } from '../runtime/print';
import { type WorkerMessage, workerProcess } from '../workers/worker-process';
import { exitCodeOf } from './exit-code';
import { missingProgramLine } from './lines/dev-lines';

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
  return workerProcess(defined({ config }), tell, exitCodeOf);
}

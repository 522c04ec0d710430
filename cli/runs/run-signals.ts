import { EXIT } from '../exit-code';
import { printedCommand } from '../terminal/printed-command';

interface Followed {
  readonly id: string;
  cancel(): Promise<void>;
}

/**
 * Keeps signals that arrive while a run is started: ended now, this process would leave a run of which no one has heard.
 * The function that it returns stops that, and gives the signals to the handlers that are there by then.
 */
export function holdSignals(): () => void {
  const held: NodeJS.Signals[] = [];
  const interrupted = () => void held.push('SIGINT');
  const terminated = () => void held.push('SIGTERM');
  process.on('SIGINT', interrupted).on('SIGTERM', terminated);
  return () => {
    process.off('SIGINT', interrupted).off('SIGTERM', terminated);
    for (const signal of held) if (!process.emit(signal, signal)) process.kill(process.pid, signal);
  };
}

/**
 * What signals do while a run is followed: the first Ctrl-C cancels the run, the second leaves without waiting for its
 * end, and SIGTERM leaves the run alone. Returns a function that undoes this.
 */
export function onSignals(run: Followed, err: (line: string) => void): () => void {
  let asked = false;
  const onInterrupt = () => {
    if (asked) {
      err(`left  ${run.id} is still being cancelled`);
      process.exit(EXIT.interrupted);
    }
    asked = true;
    err(`stop  ${run.id} is being cancelled; Ctrl-C again leaves it`);
    run.cancel().catch((error: Error) => err(`!     It could not be cancelled: ${error.message}`));
  };
  const onTerminate = () => {
    err(`left  the run goes on: ${printedCommand('tail', run.id)}`);
    process.exit(EXIT.terminated);
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  return () => void process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
}

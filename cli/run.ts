import type { Fact } from '../agent/fact';
import type { Json } from '../agent/json';
import type { RunResult } from '../agent/state';
import { AgentClient } from '../client/agent-client';
import { loadConfig } from '../runtime/config';
import { diagnose } from './diagnose';
import { factLine, usageText } from './fact-line';
import { readInput } from './input';
import { WaitHints } from './wait-hints';

export interface RunOptions {
  config?: string;
  id?: string;
  owner?: string;
  json?: boolean;
}

/** What is asked of a run: {@link RunHandle} has it. */
export interface FollowedRun {
  readonly id: string;
  facts(): AsyncIterable<Fact>;
  result(): Promise<RunResult<unknown>>;
  cancel(): Promise<void>;
}

export interface Follow {
  json: boolean;
  /** For results. */
  out(line: string): void;
  /** For progress and warnings. */
  err(line: string): void;
  /** Says what is wrong when nothing happens, or nothing. */
  diagnose(): Promise<string | undefined>;
  /** Milliseconds of silence before that. Default 2,000. */
  silence?: number;
  /** Milliseconds of silence before it is said what the run waits for. Default 300. */
  quiet?: number;
}

/** How long nothing may happen before it is asked why. */
const SILENCE = 2000;

/** `holdfast run`: the result goes to standard output, what happens on the way to standard error. */
export async function run(agent: string, argument: string, options: RunOptions): Promise<number> {
  const input = await readInput(argument, agent);
  const config = await loadConfig(options.config === undefined ? {} : { path: options.config });
  const { namespace, taskQueue } = config.temporal;
  const client = await AgentClient.connect({ config });
  const { id, owner } = options;
  const started = await client.start(agent, {
    input,
    ...(id === undefined ? {} : { id }),
    ...(owner === undefined ? {} : { owner }),
  });
  const err = (line: string) => void process.stderr.write(`${line}\n`);
  const leave = cancelOnSignal(started, err);
  try {
    await followRun(started, {
      json: options.json === true,
      out: (line) => void process.stdout.write(`${line}\n`),
      err,
      diagnose: () => diagnose(client.temporal, started.id, { namespace, taskQueue }),
    });
    return 0;
  } finally {
    leave();
    await client.close();
  }
}

/** Shows a run to its end. Throws what the run ended with. */
export async function followRun(
  run: FollowedRun,
  { json, out, err, diagnose, silence = SILENCE, quiet }: Follow,
): Promise<void> {
  if (!json) err(`run   ${run.id}`);
  let said: string | undefined;
  const check = async () => {
    const problem = await diagnose().catch(() => undefined);
    if (problem !== undefined && problem !== said) err(`!     ${problem}`);
    said = problem ?? said;
  };
  const silent = setInterval(check, silence);
  const hints = new WaitHints(run.id, (command) => err(`wait  ${command}`), quiet);
  try {
    for await (const fact of run.facts()) {
      silent.refresh();
      said = undefined;
      if (json) out(JSON.stringify(fact));
      else {
        err(factLine(fact));
        hints.note(fact);
      }
    }
    const result = await run.result();
    if (json) out(JSON.stringify({ type: 'result', id: run.id, ...result }));
    else {
      const { data, usage, executionUnits } = result;
      const price = executionUnits === usage.prompt + usage.completion ? '' : `, ${executionUnits} execution units`;
      err(`done  ${usageText(usage)}${price}`);
      out(typeof data === 'string' ? data : JSON.stringify(data as Json, null, 2));
    }
  } finally {
    clearInterval(silent);
    hints.end();
  }
}

/** The first Ctrl-C cancels the run, the second only leaves it. */
function cancelOnSignal(run: FollowedRun, err: (line: string) => void): () => void {
  let asked = false;
  const onSignal = () => {
    if (asked) {
      err(`left  ${run.id} goes on with its cancellation`);
      process.exit(130);
    }
    asked = true;
    err(`stop  ${run.id} is being cancelled; Ctrl-C again leaves it`);
    run.cancel().catch((error: Error) => err(`!     It could not be cancelled: ${error.message}`));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
}

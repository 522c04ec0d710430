import type { Fact } from '../../agent/protocol/fact';
import type { RunResult } from '../../agent/protocol/run';
import type { StreamDelta } from '../../agent/protocol/stream';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { give, warn } from '../../runtime/print';
import { diagnose } from '../doctor/diagnose';
import { usageText } from '../lines/fact-line';
import { type FollowFacts, followFacts } from './follow-facts';
import { readInput } from './input';

export interface RunOptions {
  config?: string;
  id?: string;
  owner?: string;
  json?: boolean;
}

/** The part of {@link RunHandle} that is used here. */
export interface FollowedRun {
  readonly id: string;
  facts(): AsyncIterable<Fact>;
  events(): AsyncIterable<Fact | StreamDelta>;
  result(): Promise<RunResult<unknown>>;
  cancel(): Promise<void>;
}

/** How a run is shown. Its progress goes to `err`. */
export interface Follow extends Omit<FollowFacts, 'json' | 'say'> {
  json: boolean;
  /** Takes results. */
  out(text: string, form: 'text' | 'json'): void;
}

/** `holdfast run`: the result goes to standard output, progress to standard error. */
export async function run(agent: string, argument: string, options: RunOptions): Promise<number> {
  const input = await readInput(argument, agent);
  const config = await loadConfig(defined({ path: options.config }));
  const { namespace, taskQueue } = config.temporal;
  const { heartbeatInterval } = config.worker;
  const client = await AgentClient.connect({ config, bus: 'local' });
  const { id, owner } = options;
  const started = await client.start(agent, {
    input,
    ...defined({ id, owner }),
  });
  const leave = cancelOnSignal(started, warn);
  try {
    await followRun(started, {
      json: options.json === true,
      out: (text, form) => give(`${text}\n`, form),
      err: warn,
      diagnose: () => diagnose(client.temporal, started.id, { namespace, taskQueue, heartbeatInterval }),
    });
    return 0;
  } finally {
    leave();
    await client.close();
  }
}

/** Shows a run until it ends. Throws the error of a run that failed. */
export async function followRun(run: FollowedRun, { json, out, err, ...follow }: Follow): Promise<void> {
  if (!json) err(`run   ${run.id}`);
  await followFacts(run.id, json ? run.facts() : run.events(), {
    ...follow,
    json: json ? (line) => out(line, 'json') : undefined,
    say: err,
    err,
  });
  const result = await run.result();
  if (json) {
    out(JSON.stringify({ type: 'result', id: run.id, ...result }), 'json');
    return;
  }
  const { data, usage, executionUnits } = result;
  const price = executionUnits === usage.prompt + usage.completion ? '' : `, ${executionUnits} execution units`;
  err(`done  ${usageText(usage)}${price}`);
  if (typeof data === 'string') out(data, 'text');
  else out(JSON.stringify(data as Json, null, 2), 'json');
}

/** The first Ctrl-C cancels the run. The second leaves without waiting for its end. */
function cancelOnSignal(run: FollowedRun, err: (line: string) => void): () => void {
  let asked = false;
  const onSignal = () => {
    if (asked) {
      err(`left  ${run.id} is still being cancelled`);
      process.exit(130);
    }
    asked = true;
    err(`stop  ${run.id} is being cancelled; Ctrl-C again leaves it`);
    run.cancel().catch((error: Error) => err(`!     It could not be cancelled: ${error.message}`));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
}

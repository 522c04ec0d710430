import type { Fact } from '../../agent/protocol/facts/fact';
import type { Pending } from '../../agent/protocol/queries';
import type { RunResult } from '../../agent/protocol/run';
import type { StreamDelta } from '../../agent/protocol/stream';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { RemoteClient } from '../../client/remote/remote-client';
import { checkedStart } from '../../client/runs/start/checked-start';
import { diagnose } from '../../client/silence/diagnose';
import { loadConfig } from '../../runtime/config/config';
import { give, isOneScreen, warn } from '../../runtime/print';
import { EXIT } from '../exit-code';
import { RunLines } from '../lines/run-lines';
import { VerboseLines } from '../lines/verbose-lines';
import { addressAt, type Place } from '../remote/place';
import { connectRemote } from '../remote/run-client';
import { problemAt } from '../remote/silence';
import { printedCommand } from '../terminal/printed-command';
import { connectClient } from '../with-client';
import { checkAgentName } from './agent-name';
import { type FollowFacts, followFacts, jsonView, waitingOf } from './follow-facts';
import { readInput } from './input';
import { holdSignals, onSignals } from './run-signals';
import { withExample } from './with-example';

export interface RunOptions extends Place {
  id?: string;
  owner?: string;
  /** Version of the agent's contract. */
  contract?: string;
  /** Start the run and leave. */
  detach?: boolean;
  verbose?: boolean;
  json?: boolean;
}

/** The part of {@link RunHandle} that is used here. */
export interface FollowedRun {
  readonly id: string;
  facts(options: { signal: AbortSignal }): AsyncIterable<Fact>;
  events(options: { signal: AbortSignal }): AsyncIterable<Fact | StreamDelta>;
  result(): Promise<RunResult<unknown>>;
  cancel(): Promise<void>;
  waiting(): Promise<Pick<Pending, 'approvals' | 'questions'>>;
}

/** How a run is shown. Its progress goes to `err`. */
export interface Follow extends Pick<FollowFacts, 'err' | 'diagnose' | 'silence' | 'absence' | 'quiet'> {
  json: boolean;
  verbose?: boolean;
  /** Takes results. */
  out(text: string, form: 'text' | 'json'): void;
  /** Progress and result are on one screen, so an answer that was shown is not printed again. */
  oneScreen?: boolean;
}

/** A run that is to be started, and how it is followed. */
interface Started {
  start(): Promise<FollowedRun>;
  diagnose(id: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** `holdfast run`: the result goes to standard output, progress to standard error. */
export function run(agent: string, argument: string, options: RunOptions): Promise<number> {
  return withExample({ ...options, words: ['run', agent], agent }, () => startAndFollow(agent, argument, options));
}

async function startAndFollow(agent: string, argument: string, options: RunOptions): Promise<number> {
  const input = await readInput(argument, agent);
  const address = addressAt(options);
  const {
    start,
    diagnose: why,
    close,
  } = await (address === undefined
    ? byTemporal(agent, input, options)
    : byServer(await connectRemote(address), agent, input, options));
  try {
    const { json = false, verbose = false } = options;
    const release = holdSignals();
    const started = await start().catch((error: unknown) => {
      release();
      throw error;
    });
    if (options.detach) {
      leave(started.id, agent, json);
      release();
      return EXIT.done;
    }
    const off = onSignals(started, warn);
    release();
    try {
      await followRun(started, {
        json,
        verbose,
        out: (text, form) => give(`${text}\n`, form),
        err: warn,
        diagnose: () => why(started.id),
        oneScreen: isOneScreen(),
      });
      return EXIT.done;
    } finally {
      off();
    }
  } finally {
    await close();
  }
}

async function byTemporal(agent: string, input: Json, options: RunOptions): Promise<Started> {
  const config = await loadConfig(defined({ path: options.config }));
  const known = await checkAgentName(agent, config);
  const { namespace, taskQueue } = config.temporal;
  const { heartbeatInterval } = config.worker;
  const { id, owner, contract: version } = options;
  const given = { input, ...defined({ id, owner, version }) };
  // What is wrong with it is told at once, not after waiting for a server.
  await checkedStart(known ?? agent, { ...given, taskQueue });
  const client = await connectClient(config);
  return {
    // With the agent itself, an input that its schema refuses starts nothing.
    start: () => (known === undefined ? client.start(agent, given) : client.start(known, given)),
    diagnose: (run) => diagnose(client.temporal, run, { namespace, taskQueue, heartbeatInterval }),
    close: () => client.close(),
  };
}

/** The server makes the id of the run, from the one that is given. */
async function byServer(client: RemoteClient, agent: string, input: Json, options: RunOptions): Promise<Started> {
  const { id: idempotencyKey, contract: version } = options;
  return {
    start: () => client.start(agent, { input, ...defined({ idempotencyKey, version }) }),
    diagnose: (run) => problemAt(client, run),
    close: () => client.close(),
  };
}

/** The id of a run that goes on by itself, for scripts, and how to follow it, for people. */
function leave(id: string, agent: string, json: boolean): void {
  if (json) {
    give(`${JSON.stringify({ type: 'started', id, agent })}\n`, 'json');
    return;
  }
  give(`${id}\n`);
  warn(`left  the run goes on: ${printedCommand('tail', id)}`);
}

/** Shows a run until it ends. Throws the error of a run that failed. */
export async function followRun(run: FollowedRun, options: Follow): Promise<void> {
  const { json, verbose = false, out, err, oneScreen = false, ...follow } = options;
  if (!json) err(`run   ${run.id}`);
  const lines = new RunLines({ say: err, quiet: follow.quiet });
  const view = json ? jsonView((line) => out(line, 'json')) : verbose ? new VerboseLines(err) : lines;
  const waiting = async () => waitingOf(await run.waiting());
  await followFacts(run.id, (signal) => (json ? run.facts({ signal }) : run.events({ signal })), {
    ...follow,
    view,
    err,
    waiting,
    hints: !json,
    ctrlC: 'cancels the run',
  });
  const result = await run.result();
  if (json) {
    out(JSON.stringify({ type: 'result', id: run.id, ...result }), 'json');
    return;
  }
  const data = result.data as Json;
  if (oneScreen && lines.shows(data)) return;
  if (typeof data === 'string') out(data, 'text');
  else out(JSON.stringify(data, null, 2), 'json');
}

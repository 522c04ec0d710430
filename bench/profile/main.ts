import { join, resolve } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { Command } from 'commander';
import { buildBareBundle } from '../bare/bundle';
import { median, range, short } from '../pairs';
import type { Side } from '../side';
import { Stage } from '../stage';
import { attribute, type Cost } from './cpu-profile';
import { kinds, waits } from './history';
import { threadTimes, used } from './threads';

interface Options {
  turns: number;
  rounds: number;
  concurrent: number;
  top: number;
  inline?: true;
  cpuProf?: string;
}

const { HistoryEvent } = temporal.api.history.v1;

new Command('profile')
  .description('Shows where the time and the bytes of a turn go, for ours and the bare loop. Linux only.')
  .option('--turns <n>', 'turns of each run', Number, 200)
  .option('--rounds <n>', 'runs of each side', Number, 3)
  .option('--concurrent <n>', 'runs of a round, started at once', Number, 1)
  .option('--inline', "ours with a tool of placement 'inline'")
  .option('--top <n>', 'functions shown', Number, 25)
  .option(
    '--cpu-prof <folder>',
    "profile the workers' JavaScript into a folder; this slows them, so ignore the other values",
  )
  .action(profile)
  .parseAsync();

async function profile(options: Options): Promise<void> {
  const bundle = await buildBareBundle();
  const { cpuProf } = options;
  const folderOf = (side: string) => join(resolve(cpuProf ?? ''), side);
  const execArgv = (side: string) => ['--cpu-prof', `--cpu-prof-dir=${folderOf(side)}`, '--cpu-prof-interval=500'];
  const begin = performance.now();
  let from = 0;
  const stage = await Stage.open({ bundle, ...(cpuProf === undefined ? {} : { execArgv }) });
  try {
    await stage.warmUp(stage, 100);
    from = performance.now() - begin;
    const measured = (['ours', 'bare'] as const).map((name) => new Measured(stage, name, options));
    // In turn, so that a slow phase of the machine affects both.
    for (let i = 0; i < options.rounds; i++) for (const side of measured) await side.round();
    for (const side of measured) await side.tell();
  } finally {
    await stage.close();
    await bundle.remove();
  }
  if (cpuProf !== undefined) {
    for (const side of ['ours', 'bare']) {
      const { parts, own, whole } = attribute(folderOf(side), from);
      print(`${side}: JavaScript by part, ms a turn`, parts, options);
      print(`${side}: functions alone, ms a turn`, own.slice(0, options.top), options);
      print(`${side}: functions with what they call, ms a turn`, whole.slice(0, options.top * 2), options);
    }
  }
}

class Measured {
  readonly #name: string;
  readonly #side: Side;
  readonly #processes: readonly { what: string; pid: number; cpu: Map<string, number> }[];
  readonly #options: Options;
  readonly #times: number[] = [];
  #last: WorkflowHandle | undefined;

  constructor(stage: Stage, name: 'ours' | 'bare', options: Options) {
    this.#name = name;
    this.#options = options;
    this.#side = name === 'ours' && options.inline ? stage.inline : stage[name];
    const pids = {
      worker: stage.workers[name].pid,
      model: stage.model.pid,
      server: stage.server.pid ?? 0,
      client: process.pid,
    };
    this.#processes = Object.entries(pids).map(([what, pid]) => ({ what, pid, cpu: new Map() }));
  }

  async round(): Promise<void> {
    const { turns, concurrent } = this.#options;
    const before = this.#processes.map(({ pid }) => threadTimes(pid));
    const begin = performance.now();
    const runs = await Promise.all(Array.from({ length: concurrent }, () => this.#side.run(turns)));
    this.#times.push((performance.now() - begin) / turns / concurrent);
    this.#last = runs[0]?.handle;
    for (const [i, { pid, cpu }] of this.#processes.entries()) {
      const spent = used(before[i] ?? new Map(), threadTimes(pid));
      for (const [thread, ms] of spent) cpu.set(thread, (cpu.get(thread) ?? 0) + ms);
    }
  }

  async tell(): Promise<void> {
    const { turns, rounds, concurrent } = this.#options;
    const all = turns * rounds * concurrent;
    const times = `${short(median(this.#times))} ms a turn (${range(this.#times)})`;
    say(`\n${this.#name}: ${times}, ${rounds} × ${concurrent} runs of ${turns} turns`);
    for (const { what, cpu } of this.#processes) {
      const threads = [...cpu].sort(([, a], [, b]) => b - a);
      const sum = threads.reduce((total, [, ms]) => total + ms, 0);
      const list = threads.map(([thread, ms]) => `${thread} ${short(ms / all)}`).join(', ');
      say(`  CPU ms a turn, ${what}: ${short(sum / all)} (${list})`);
    }
    const { events } = (await this.#last?.fetchHistory()) ?? {};
    for (const [what, wait] of waits(events ?? [])) say(`  median ms, ${what}: ${short(wait)}`);
    for (const { kind, count, payloadBytes, bytes } of kinds(
      events ?? [],
      (e) => HistoryEvent.encode(e).finish().length,
    )) {
      say(
        `  a turn, ${kind}: ${short(count / turns)} events, ${short(bytes / turns)} bytes, payloads ${short(payloadBytes / turns)}`,
      );
    }
  }
}

function print(title: string, costs: readonly Cost[], { turns, rounds, concurrent }: Options): void {
  say(`\n${title}`);
  for (const { name, ms } of costs) say(`  ${short(ms / turns / rounds / concurrent).padStart(6)}  ${name}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

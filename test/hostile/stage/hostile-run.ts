import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentClient } from '../../../client/agent-client';
import type { RunHandle } from '../../../client/runs/run-handle';
import { Pty } from '../../cli/pty';
import { MAIN, RUN_TS } from '../../sources';
import { until } from '../../until';
import type { FileInput, HostileInput, SignalInput, TerminalInput } from '../inputs/input';
import type { SurfaceName } from '../inputs/surfaces';
import { STEERS } from '../inputs/terminal';
import { rawClient } from './raw-client';

/** One hostile input, run to its end, with checks of the result. */
export class HostileRun {
  readonly id: string;

  constructor(
    private readonly client: AgentClient,
    private readonly dir: string,
    private readonly surface: SurfaceName,
    private readonly input: HostileInput,
    id = (input as TerminalInput).id ?? `hostile-${surface}-${input.name}`,
  ) {
    this.id = id;
  }

  start(): Promise<RunHandle<unknown>> {
    return this.client.start(agentFor(this.surface, this.input), { id: this.id, input: this.#asked() }) as Promise<
      RunHandle<unknown>
    >;
  }

  /** Runs it once it is prepared, and throws if it did not end as it must. */
  async play(longest: number): Promise<void> {
    switch (this.surface) {
      case 'file':
        return this.#read(this.input as FileInput, longest);
      case 'signal':
        return this.#signal(this.input as SignalInput, longest);
      case 'terminal':
        return this.#show(this.input as TerminalInput, longest);
      default:
        return this.#check(await this.start(), longest);
    }
  }

  /**
   * Sets up what must exist before the start: it is not part of the worker's work, and on a slow disk it takes seconds.
   */
  async prepare(): Promise<void> {
    if (this.surface !== 'file') return;
    await this.cleanUp();
    await (this.input as FileInput).prepare(this.#folder, this.#outside);
  }

  async cleanUp(): Promise<void> {
    if (this.surface !== 'file') return;
    // Readers of facts run in this process.
    for (const folder of [this.#folder, this.#outside]) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
    }
  }

  async #read(input: FileInput, longest: number): Promise<void> {
    const over = new AbortController();
    const meanwhile = input.meanwhile?.(this.#folder, this.#outside, over.signal);
    try {
      await this.#check(await this.start(), longest);
    } finally {
      over.abort();
      await meanwhile;
    }
  }

  async #signal(input: SignalInput, longest: number): Promise<void> {
    const run = await this.start();
    await run.waiting({ atLeast: { approvals: 1 } });
    const said = await input.send({ run, raw: rawClient(this.client.temporal) });
    if (input.refused) expect(said.split('\n').filter((line) => /^(taken|answered|)$/.test(line))).toEqual([]);
    // The real call still waits for its decision.
    const {
      approvals: [ask],
    } = await run.waiting({ atLeast: { approvals: 1 } });
    expect(ask).toMatchObject({ toolUseId: 't1.1', input: { item: 'a' } });
    await run.approve(ask, { by: 'ann' });
    await this.#check(run, longest);
  }

  async #show(input: TerminalInput, longest: number): Promise<void> {
    const run = await this.start();
    if (input.waits) (await run.waiting({ atLeast: { approvals: 1 } })).approvals;
    else await run.result().catch(() => undefined);
    const args = input.command.map((arg) =>
      arg === 'RUN' ? run.id : arg === 'INPUT' ? JSON.stringify(this.#asked()) : arg,
    );
    const env = { ...process.env, USER: 'ann', TERM: 'xterm', EDITOR: '', VISUAL: '' };
    const terminal = new Pty(process.execPath, [RUN_TS, MAIN, ...args], { cwd: this.dir, env });
    try {
      await (input.waits ? until(() => input.shows.test(terminal.written), 'the inbox', longest) : terminal.exit);
    } finally {
      terminal.kill();
      await terminal.exit;
    }
    expect(terminal.written).toMatch(input.shows);
    expect(STEERS.exec(terminal.written)?.map((found) => JSON.stringify(found)) ?? []).toEqual([]);
    expect(terminal.written).not.toMatch(/^FORGED/m);
    if (input.waits) {
      const {
        approvals: [ask],
      } = await run.waiting({ atLeast: { approvals: 1 } });
      await run.deny(ask, { by: 'ann' });
    }
    await this.#check(run, longest);
  }

  /** How the run ended, and what its model was told before. */
  async #check(run: RunHandle<unknown>, longest: number): Promise<void> {
    const { end, told = [] } = this.input;
    const ended = await within(longest, run.id, ending(run));
    if ('data' in end && 'data' in ended) {
      if (typeof end.data === 'string') expect(ended.data).toBe(end.data);
      else expect(ended.data).toMatch(end.data);
    } else if ('error' in end && 'error' in ended) expect(ended.error).toMatch(end.error);
    else expect(ended).toEqual(end);
    const read = await toldIn(run);
    const shown = read.slice(0, 100).map((text) => text.slice(0, 200));
    if (told instanceof RegExp) expect(read.filter((text) => !told.test(text))).toEqual([]);
    else
      expect({ shown, fits: told.map((one, i) => one.test(read[i] ?? '')), count: read.length }).toEqual({
        shown,
        fits: told.map(() => true),
        count: told.length,
      });
    const { usage: counted, executionUnits } = await run.state();
    const { estimated: _, ...usage } = counted;
    for (const count of [...Object.values(usage), executionUnits]) {
      expect(Number.isFinite(count) && Number(count) >= 0).toBe(true);
    }
  }

  get #folder(): string {
    return join(this.dir, 'files');
  }

  get #outside(): string {
    return join(this.dir, 'outside');
  }

  #asked() {
    return { run: this.id, surface: this.surface, name: this.input.name };
  }
}

function agentFor(surface: SurfaceName, { name, script = [] }: HostileInput): string {
  if (surface === 'stdio' || surface === 'http' || surface === 'schema') return `hostile.${surface}.${name}`;
  if (surface === 'file') return 'hostile.reader';
  return surface === 'signal' || callsPay(script) ? 'hostile.desk' : 'hostile.guest';
}

function callsPay(script: HostileInput['script']): boolean {
  return (script ?? []).some((turn) => typeof turn === 'object' && 'calls' in turn && turn.calls?.[0]?.name === 'pay');
}

async function ending(run: RunHandle<unknown>): Promise<{ data: string } | { error: string }> {
  try {
    return { data: String((await run.result()).data) };
  } catch (error) {
    const { type, message } = error as { type?: string; message: string };
    return { error: `${type}: ${message}` };
  }
}

/** Result, or type and text of the error, of each call. */
async function toldIn(run: RunHandle<unknown>): Promise<string[]> {
  const told: { id: string; text: string }[] = [];
  for await (const fact of run.facts()) {
    if (fact.type === 'tool.error')
      told.push({ id: fact.toolUseId, text: `${fact.error.type}: ${fact.error.message}` });
    if (fact.type !== 'tool.result') continue;
    const text = fact.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('');
    told.push({ id: fact.toolUseId, text });
  }
  return told.sort((a, b) => placeOf(a.id) - placeOf(b.id)).map(({ text }) => text);
}

/** Of the call `t<turn>.<n>`. */
function placeOf(id: string): number {
  const [turn, n] = id.slice(1).split('.').map(Number) as [number, number];
  return turn * 100_000 + n;
}

/** Throws if the work is not done within this many milliseconds. */
export async function within<T>(longest: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not ended in ${longest} ms`)), longest);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../../agent/protocol/stream';
import { linkedAbort } from '../../../../runtime/abort/linked-abort';
import { untilAborted } from '../../../../runtime/abort/until-aborted';
import { readingOf } from '../../../runs/command-handle';
import { RunHandle } from '../../../runs/run-handle';
import { aboutRun } from '../about-run';
import type { AboutAgent } from './agent-below';

/** What an agent that works for a run is and does, by the path of calls that leads to it. */
export type HeardBelow = { path: string; about: AboutAgent } | { path: string; fact: Fact };

/** What a run tells, and what agents that work for it do. */
export type Heard = { event: Fact | StreamDelta } | HeardBelow;

interface Found {
  value: Heard;
  from: AbortController;
  /** Lets its source go on. */
  next: () => void;
}

/** Milliseconds before an agent is read. A reader of old facts then learns first that it has ended. */
const SETTLE = 50;
/** Milliseconds between tries to read an agent: it may not have begun, or its worker may be away. */
const AGAIN = [100, 500, 2000, 5000];
/**
 * Milliseconds in which an agent that has ended tells what became of its calls: as long as a query that is lost takes
 * (12 s), and another one.
 */
const LAST_WORDS = 15_000;

/** Hears a run, and the agents that work for it as soon as they are followed, in one sequence. */
export class Voices {
  readonly #found: Found[] = [];
  readonly #agents = new Map<string, { id: string; last: number; about?: AboutAgent; left: AbortController }>();
  readonly #all = new AbortController();
  #end: { error?: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(private readonly run: RunHandle<unknown>) {}

  /** Everything, to the end of `events`. */
  async *hear(events: AsyncGenerator<Fact | StreamDelta, void, undefined>): AsyncGenerator<Heard, void, undefined> {
    this.#pump(ownOf(events), this.#all).then(
      () => this.#over({}),
      (error: unknown) => this.#over({ error }),
    );
    try {
      for (;;) {
        const arrival = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        for (let one = this.#found.shift(); one !== undefined; one = this.#found.shift()) {
          if (!one.from.signal.aborted) {
            this.#note(one.value);
            yield one.value;
          }
          one.next();
        }
        if (this.#end !== undefined) {
          if ('error' in this.#end) throw this.#end.error;
          return;
        }
        await arrival;
      }
    } finally {
      this.#all.abort();
      for (const { left } of this.#agents.values()) left.abort();
      for (const { next } of this.#found.splice(0)) next();
    }
  }

  /** Hears an agent, too. */
  follow(path: string, id: string): void {
    if (this.#agents.has(path)) return;
    const left = new AbortController();
    this.#agents.set(path, { id, last: 0, left });
    // What cannot be read is tried again until the agent is left.
    void this.#pump(this.#agent(path, left.signal), left);
  }

  /** Hears an agent, and its own ones, no more. */
  leave(path: string): void {
    for (const [one, { left }] of this.#agents) {
      if (one !== path && !one.startsWith(`${path}/`)) continue;
      left.abort();
      this.#agents.delete(one);
    }
  }

  /** What an agent that has ended has still to tell. */
  async *lastWords(path: string, id: string): AsyncGenerator<HeardBelow, void, undefined> {
    const { last, about } = this.#agents.get(path) ?? { last: 0 };
    this.leave(path);
    const { signal, unlink } = linkedAbort(this.#all.signal, AbortSignal.timeout(LAST_WORDS));
    const run = this.#handleOf(id);
    try {
      if (about === undefined) yield { path, about: await untilAborted(aboutRun(run), signal) };
      for await (const fact of run.facts({ after: last, signal })) {
        yield { path, fact };
        if (fact.type === 'loop.end') return;
      }
    } catch {
      // Its calls are closed without their outcomes.
    } finally {
      unlink();
    }
  }

  async *#agent(path: string, signal: AbortSignal): AsyncGenerator<Heard, void, undefined> {
    const agent = this.#agents.get(path);
    if (agent === undefined) return;
    const run = this.#handleOf(agent.id);
    for (let tries = 0; await rested(tries === 0 ? SETTLE : (AGAIN[tries - 1] ?? 5000), signal); tries++) {
      try {
        if (agent.about === undefined) yield { path, about: await untilAborted(aboutRun(run), signal) };
        for await (const fact of run.facts({ after: agent.last, signal })) {
          tries = 0;
          yield { path, fact };
        }
        return;
      } catch {
        // The next try tells, or the call of the agent ends.
      }
    }
  }

  /** What was heard is not asked for again. What is still on its way may never be heard. */
  #note(heard: Heard): void {
    const agent = 'path' in heard ? this.#agents.get(heard.path) : undefined;
    if (agent === undefined) return;
    if ('about' in heard) agent.about = heard.about;
    else if ('fact' in heard) agent.last = heard.fact.seq;
  }

  #handleOf(id: string): RunHandle<unknown> {
    return new RunHandle<unknown>(this.run.client, id, readingOf(this.run));
  }

  async #pump(source: AsyncGenerator<Heard, void, undefined>, from: AbortController): Promise<void> {
    for await (const value of source) {
      await new Promise<void>((next) => {
        this.#found.push({ value, from, next });
        this.#wake();
      });
      if (from.signal.aborted) return;
    }
  }

  #over(end: { error?: unknown }): void {
    this.#end = end;
    this.#wake();
  }
}

async function* ownOf(events: AsyncGenerator<Fact | StreamDelta, void, undefined>): AsyncGenerator<Heard, void> {
  for await (const event of events) yield { event };
}

/** Whether there was time to rest. */
async function rested(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

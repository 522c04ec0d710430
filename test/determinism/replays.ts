import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { temporal } from '@temporalio/proto';
import type { AgentClient } from '../../client/agent-client';
import { Replayer } from '../../workers/replay/replayer';
import { historyToJson } from '../replay/fixtures';

type History = temporal.api.history.v1.IHistory;

/** Characters of a problem that are shown. */
const SHOWN = 500;

/** All histories of everything that ran in a namespace: agents, children, and the entities that remember decisions. */
export class Replays {
  readonly #known: { workflowId: string; history: History }[] = [];

  constructor(
    private readonly client: AgentClient,
    private readonly options: ConstructorParameters<typeof Replayer>[0] = {},
  ) {}

  /** All histories as one text. */
  get text(): string {
    return JSON.stringify(this.#known.map(({ history }) => historyToJson(history)));
  }

  /** The problems of each history: tasks that failed, decisions that differ. */
  async all(): Promise<Map<string, string[]>> {
    const { workflow } = this.client.temporal;
    for await (const { workflowId, runId } of workflow.list()) {
      this.#known.push({ workflowId, history: await workflow.getHandle(workflowId, runId).fetchHistory() });
    }
    const problems = new Map<string, string[]>();
    const replayer = new Replayer(this.options);
    for (const one of this.#known) {
      problems.set(one.workflowId, [...(problems.get(one.workflowId) ?? []), ...failedTasks(one.history)]);
      await replayer.replay(one).catch(({ message }: Error) => {
        problems.get(one.workflowId)?.push(`it does not replay: ${message.slice(0, SHOWN)}`);
      });
    }
    await replayer.close();
    return problems;
  }

  /** Writes the histories of these workflows to a new folder and returns its path; empty if there are none. */
  keep(ids: Iterable<string>): string {
    let dir = '';
    const wanted = new Set(ids);
    for (const [i, { workflowId, history }] of this.#known.entries()) {
      if (!wanted.has(workflowId)) continue;
      if (dir === '') dir = mkdtempSync(join(tmpdir(), 'holdfast-random-histories-'));
      const name = `${workflowId.replaceAll('/', '_')}-${i}.json`;
      writeFileSync(join(dir, name), JSON.stringify(historyToJson(history)));
    }
    return dir;
  }
}

/** Leaves out tasks that failed because a new event came before their end: they are repeated, as they should be. */
export function failedTasks({ events }: History): string[] {
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    failed?.failure == null || failed.failure.message === 'UnhandledCommand'
      ? []
      : [`a workflow task failed: ${failed.failure.message?.slice(0, SHOWN)}`],
  );
}

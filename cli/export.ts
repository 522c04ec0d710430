import { writeFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import { QUERY } from '../agent/activities';
import type { Fact, FactPage } from '../agent/fact';
import type { Manifest, RunContext } from '../agent/manifest';
import type { Message } from '../agent/message';
import { patientQuery } from '../client/patient-query';
import { RunHandle } from '../client/run-handle';
import { chatLines } from './export-chat';
import { markdown } from './export-markdown';
import { withClient } from './with-client';

export interface ExportOptions {
  config?: string;
  format?: 'jsonl' | 'md';
  out?: string;
}

/** A run as it is written down. */
export interface Exported {
  id: string;
  agent: string;
  owner?: string;
  title?: string;
  system?: string;
  /** Canonical names of tools and what the model calls them. */
  modelNames: ReadonlyMap<string, string>;
  messages: readonly Message[];
  facts: readonly Fact[];
}

/** Milliseconds that a worker may take to answer: it may have to replay a long run first. */
const PATIENCE = 20_000;

/** `holdfast export`: the transcript of a run, every text whole. */
export function exportRun(id: string, { config, format = 'jsonl', out }: ExportOptions): Promise<number> {
  return withClient(config, async (client) => {
    const exported = await readExported(client.temporal, id, PATIENCE);
    const text = format === 'md' ? markdown(exported) : chatLines(exported);
    if (out === undefined) process.stdout.write(text);
    else {
      await writeFile(out, text);
      process.stderr.write(`${Buffer.byteLength(text)} bytes in ${out}\n`);
    }
    return 0;
  });
}

/**
 * Reads all of a run that is written down, while it works or after its end.
 * @throws HoldfastError `RunNotFound`, `NoWorker`, `NoServer`
 */
export async function readExported(client: Client, id: string, patience: number): Promise<Exported> {
  const run = new RunHandle(client, id, { patience });
  const pinned = <T>(what: 'manifest' | 'context') =>
    patientQuery<T | null>(client, id, QUERY.pinned, { argument: what, patience });
  const { agent, owner, title } = await run.state();
  const { system } = (await pinned<RunContext>('context')) ?? {};
  const { tools = [] } = (await pinned<Manifest>('manifest')) ?? {};
  return {
    id,
    agent,
    ...(owner === undefined ? {} : { owner }),
    ...(title === undefined ? {} : { title }),
    ...(system === undefined ? {} : { system }),
    modelNames: new Map(tools.map(({ name, modelName }) => [name, modelName])),
    // Facts first: whatever is said meanwhile has no fact yet, and no fact is about a message that is missing.
    facts: await factsSoFar(client, id, patience),
    messages: await run.transcript(),
  };
}

async function factsSoFar(client: Client, id: string, patience: number): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (;;) {
    const after = facts.at(-1)?.seq ?? 0;
    const page = await patientQuery<FactPage>(client, id, QUERY.facts, { argument: after, patience });
    facts.push(...page.facts);
    if (page.facts.length === 0 || (facts.at(-1)?.seq ?? 0) >= page.last) return facts;
  }
}

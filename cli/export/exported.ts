import type { Client } from '@temporalio/client';
import type { Message, Part } from '../../agent/model/message';
import { QUERY } from '../../agent/protocol/activities';
import type { Fact, FactPage } from '../../agent/protocol/facts/fact';
import { defined } from '../../agent/values/defined';
import { wholeResults } from '../../client/feed/tool-result';
import { patientQuery } from '../../client/requests/patient-query';
import { RunHandle } from '../../client/runs/run-handle';
import { readPrompt } from '../../client/runs/transcript';

/** A run as it is exported. */
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

/** How a run is read. */
export interface ReadOptions {
  /** Milliseconds that a worker may take to answer. */
  workerTimeout: number;
  /** Include the full results of tools, even where the model saw only the beginning. */
  full: boolean;
}

/**
 * Reads everything that is exported of a run, during the run or after it.
 * @throws HoldfastError `RunNotFound`, `NoWorker`, `NoServer`
 */
export async function readExported(
  client: Client,
  id: string,
  { workerTimeout, full }: ReadOptions,
): Promise<Exported> {
  const run = new RunHandle(client, id, { workerTimeout });
  const { agent, owner, title } = await run.state();
  const { system, modelNames } = await readPrompt(client, { id, workerTimeout });
  // Facts are read first, so that none is about a message that is missing.
  const facts = await factsSoFar(client, id, workerTimeout);
  const messages = await run.transcript();
  return {
    id,
    agent,
    ...defined({ owner, title, system }),
    modelNames,
    facts,
    messages: full ? await withWholeResults(client, id, { facts, messages }) : messages,
  };
}

async function withWholeResults(
  client: Client,
  id: string,
  { facts, messages }: Pick<Exported, 'facts' | 'messages'>,
): Promise<Message[]> {
  const cut = new Set(facts.flatMap((fact) => (fact.type === 'tool.result' && fact.full ? [fact.toolUseId] : [])));
  if (cut.size === 0) return [...messages];
  const whole = await wholeResults(client, id);
  const filled = async (part: Part): Promise<Part> => {
    if (part.type !== 'tool_result' || !cut.has(part.toolUseId)) return part;
    return { ...part, content: (await whole(part.toolUseId)) ?? part.content };
  };
  return Promise.all(messages.map(async (one) => ({ ...one, parts: await Promise.all(one.parts.map(filled)) })));
}

async function factsSoFar(client: Client, id: string, workerTimeout: number): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (;;) {
    const after = facts.at(-1)?.seq ?? 0;
    const page = await patientQuery<FactPage>(client, id, QUERY.facts, { argument: after, workerTimeout });
    facts.push(...page.facts);
    if (page.facts.length === 0 || (facts.at(-1)?.seq ?? 0) >= page.last) return facts;
  }
}

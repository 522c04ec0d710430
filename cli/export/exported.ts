import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Message, Part } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/facts/fact';
import { defined } from '../../agent/values/defined';
import { wholeResults } from '../../client/feed/tool-result';
import { RunHandle } from '../../client/runs/run-handle';
import { readPrompt } from '../../client/runs/transcript';
import { warn } from '../../runtime/print';

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
  const { agent, owner, title, facts: last } = await run.state();
  const { system, modelNames } = await readPrompt(client, { id, workerTimeout });
  // Facts are read first, so that none is about a message that is missing.
  const facts = await factsUpTo(run, last);
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
  const whole = await wholeResults(client, id).catch(unlessGone);
  if (whole === undefined) return [...messages];
  const filled = async (part: Part): Promise<Part> => {
    if (part.type !== 'tool_result' || !cut.has(part.toolUseId)) return part;
    return { ...part, content: (await whole(part.toolUseId)) ?? part.content };
  };
  return Promise.all(messages.map(async (one) => ({ ...one, parts: await Promise.all(one.parts.map(filled)) })));
}

/** The archive has facts and messages only. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
  warn(
    'The server has deleted the history of this run, and the full results with it: they are exported as the model saw them.',
  );
}

async function factsUpTo(run: RunHandle<unknown>, last: number): Promise<Fact[]> {
  const facts: Fact[] = [];
  if (last === 0) return facts;
  for await (const fact of run.facts()) {
    facts.push(fact);
    if (fact.seq >= last) break;
  }
  return facts;
}

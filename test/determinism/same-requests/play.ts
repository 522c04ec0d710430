import { randomUUID } from 'node:crypto';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { AgentClient } from '../../../client/agent-client';
import type { ConversationHandle } from '../../../client/runs/conversation-handle';
import { randomFrom } from '../random/random';
import { AGENTS } from './agents';
import type { RecordingModel } from './recording-model';
import { type Script, scriptOf } from './script';

/** What a conversation has left. */
export interface Played {
  agent: string;
  /** The bodies of its requests. */
  requests: string[];
  /** How often the same call failed in the same way in a row, at most. */
  failingInARow: number;
  end: string;
}

/** Plays the conversation of a seed, and answers at once whatever it asks. */
export async function play(client: AgentClient, model: RecordingModel, seed: number): Promise<Played> {
  const script = scriptOf(seed);
  model.script(script);
  const facts = await factsOf(client, script, seed);
  return {
    agent: script.agent,
    requests: model.requests(script.mark),
    failingInARow: failingInARow(facts),
    end: endOf(facts),
  };
}

async function factsOf(client: AgentClient, script: Script, seed: number): Promise<Fact[]> {
  const [first = '', ...messages] = script.messages;
  const agent = AGENTS[script.agent];
  // Requests do not depend on the id of the run.
  const id = `same-${randomUUID()}`;
  const isTask = agent.definition.mode !== 'conversation';
  if (isTask) await client.start(agent.name, { id, input: first });
  else await client.conversation(agent.name, { id }).send(first);
  const run = client.get<unknown, 'conversation'>(id);
  const facts: Fact[] = [];
  for await (const fact of run.facts()) {
    facts.push(fact);
    await respond(run, fact, seed);
    if (fact.type !== 'exchange.end' || isTask) continue;
    const next = messages.shift();
    await (next === undefined ? run.close() : run.send(next));
  }
  return facts;
}

async function respond(run: ConversationHandle, fact: Fact, seed: number): Promise<void> {
  if (!('toolUseId' in fact) || fact.toolUseId === undefined) return;
  const { toolUseId } = fact;
  const random = randomFrom(seed + Number(toolUseId.replace(/\D/g, '')));
  const by = 'ann';
  if (fact.type === 'approval.requested') {
    const choice = random.below(4);
    if (choice === 0) await run.deny({ toolUseId }, { by, reason: 'Too expensive.' });
    else if (choice === 1) await run.edit({ toolUseId }, { by, input: { mark: 'edited', size: 9, fails: false } });
    else await run.approve({ toolUseId }, { by, comment: 'Fine.' });
  } else if (fact.type === 'question.asked') {
    if (random.below(5) === 0) await run.decline(fact.questionId, { by, reason: 'I do not know.' });
    else await run.answer(fact.questionId, fact.schema === undefined ? 'Any will do.' : 7, { by });
  } else if (fact.type === 'service.called' && fact.kind === 'signal') {
    const answer = random.below(3) === 0 ? { error: 'The stock is closed.' } : { data: { left: random.below(9) } };
    await run.workflow.signal('toolResult', { toolUseId, ...answer });
  }
}

function failingInARow(facts: readonly Fact[]): number {
  let most = 0;
  let row = 0;
  let before = '';
  for (const fact of facts) {
    if (fact.type === 'tool.result') before = '';
    if (fact.type !== 'tool.error') continue;
    const now = JSON.stringify([fact.name, fact.error]);
    row = now === before ? row + 1 : 1;
    before = now;
    most = Math.max(most, row);
  }
  return most;
}

function endOf(facts: readonly Fact[]): string {
  const last = facts.at(-1);
  if (last?.type !== 'loop.end') return 'open';
  return last.error === undefined ? last.reason : `${last.reason}: ${last.error.type}`;
}

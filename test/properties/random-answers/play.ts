import type { Agent } from 'holdfast';
import type { AgentClient, ConversationHandle } from 'holdfast/client';
import { HoldfastError } from '../../../agent/errors/error';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { type Random, randomFrom } from '../../determinism/random/random';

/** What a run has left. */
export interface Played {
  id: string;
  facts: Fact[];
  /** `result`, the type of its error, or what else it ended with. */
  end: string;
}

/** Plays a run to its end; a person answers at once whatever it asks. */
export async function play(
  client: AgentClient,
  agent: Agent,
  id: string,
  seed: number,
  signal: AbortSignal,
): Promise<Played> {
  const random = randomFrom(seed);
  const isTask = agent.definition.mode !== 'conversation';
  const first = `Begin ${id}`;
  if (isTask) await client.start(agent.name, { id, input: first });
  else await client.conversation(agent.name, { id }).send(first);
  const run = client.get<unknown, 'conversation'>(id);
  let messages = random.below(3);
  const facts: Fact[] = [];
  for await (const fact of run.facts({ signal })) {
    facts.push(fact);
    await decided(() => respond(run, fact, seed));
    if (fact.type !== 'exchange.end' || isTask) continue;
    await decided(() => (messages-- > 0 ? run.send(random.pick(['Thanks. And now?', 'yes', 'No.'])) : run.close()));
  }
  return { id, facts, end: signal.aborted ? 'stuck' : await endOf(run) };
}

async function endOf(run: ConversationHandle): Promise<string> {
  try {
    await run.result();
    return 'result';
  } catch (error) {
    return error instanceof HoldfastError ? error.type : `no HoldfastError: ${String(error)}`;
  }
}

/** Either it is taken, or refused by name: the run may have ended, or the plan may be wrong. */
async function decided(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
  }
}

/** What a person does follows from the seed and the call, in whatever order the facts come. */
async function respond(run: ConversationHandle, fact: Fact, seed: number): Promise<void> {
  if (fact.type !== 'approval.requested' && fact.type !== 'question.asked') return;
  const { toolUseId } = fact;
  const random = randomFrom(seed + Number(toolUseId.replace(/\D/g, '')));
  const by = 'ann';
  if (fact.type === 'question.asked') {
    if (random.below(5) === 0) await run.decline(fact.questionId, { by, reason: 'I do not know.' });
    else await run.answer(fact.questionId, 'Any will do.', { by });
    return;
  }
  const choice = random.below(4);
  if (choice === 0) await run.deny({ toolUseId }, { by, reason: 'Too expensive.' });
  if (choice === 1) await decided(() => run.edit({ toolUseId }, { by, input: editOf(fact.name, random) }));
  // It is refused after a decision that was taken. An edit with wrong arguments is none.
  if (choice > 0) await run.approve({ toolUseId }, { by });
}

function editOf(name: string, random: Random) {
  const edits = name === 'follow_plan' ? [{ steps: [{ step_number: 1, description: 'Look' }] }, { steps: [] }] : [];
  return random.pick([...edits, { mark: 'edited' }, { mark: 7 }]);
}

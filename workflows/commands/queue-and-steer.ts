import type { MessageReceipt, QueuedMessage, Steer } from '../../agent/conversation/messages';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { isConversation } from '../state/selectors/mode';
import { openQuestions } from '../state/selectors/questions';
import { checkMessage, partsOf } from './check-message';
import { byOf, refuse } from './conversation';

/** Takes a message. In a conversation it starts an exchange after those before it. In a task it joins the only one. */
export function send(run: Run, given: unknown): MessageReceipt {
  const said = checkMessage(given);
  return receive(run, said);
}

function receive(run: Run, said: Steer): MessageReceipt {
  const { state } = run;
  const known = knownMessage(state, said);
  if (known !== undefined) return known;
  refuse(state, said);
  if (!isConversation(state)) return join(run, said);
  const ahead = state.inbox.length + (state.phase.at === 'idle' ? 0 : 1);
  const message = messageOf(said, lastExchange(state) + 1);
  run.apply({ type: 'received', message, ahead });
  return { exchange: message.exchange, ahead, after: state.facts };
}

/** Takes a message into the exchange in progress, or starts one where there is none. */
export function steer(run: Run, given: unknown): MessageReceipt {
  const said = checkMessage(given);
  const { state } = run;
  if (state.phase.at === 'idle') return receive(run, said);
  const known = knownMessage(state, said);
  if (known !== undefined) return known;
  refuse(state, said);
  const taken = join(run, said);
  if (said.when === 'now') {
    withdrawQuestions(run, said.by);
    if (run.thinking || state.phase.at === 'outage') run.breakOff({ why: 'steered', ...byOf(said) });
  }
  return taken;
}

function knownMessage({ taken }: AgentState, { id }: Steer): MessageReceipt | undefined {
  return id !== undefined && Object.hasOwn(taken, id) ? taken[id] : undefined;
}

function lastExchange({ inbox, exchange }: AgentState): number {
  return inbox.at(-1)?.exchange ?? exchange;
}

function join(run: Run, said: Steer): MessageReceipt {
  const { state } = run;
  const { exchange } = state;
  run.apply({ type: 'steered', message: messageOf(said, exchange), when: said.when ?? 'queue' });
  return { exchange, ahead: 0, after: state.facts };
}

function messageOf(said: Steer, exchange: number): QueuedMessage {
  const { id } = said;
  return { parts: partsOf(said), exchange, at: Date.now(), ...defined({ id }), ...byOf(said) };
}

function withdrawQuestions(run: Run, by: string | undefined): void {
  for (const { toolUseId, question } of openQuestions(run.state)) {
    const reply = { action: 'withdrawn' as const, at: Date.now(), ...defined({ by }) };
    run.apply({ type: 'replied', toolUseId, questionId: question.questionId, reply });
  }
}

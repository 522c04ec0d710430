import type { MessageReceipt, QueuedMessage, Steer } from '../../agent/conversation/messages';
import type { CountMessageResult } from '../../agent/protocol/calls/count-message';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { isConversation } from '../state/selectors/mode';
import { openQuestions } from '../state/selectors/questions';
import { partsOf } from './checks/check-message';
import { checkTakesMessages } from './checks/check-phase';
import { ifItFits } from './checks/fits-window';
import type { Parked } from './settle-command';

/** What becomes of a message: a large one is counted first. */
type Received = MessageReceipt | Parked<CountMessageResult>;

/** Takes a message. In a conversation it starts an exchange after those before it. In a task it joins the only one. */
export function send(run: Run, said: Steer): Received {
  return unlessKnown(run, said, receive);
}

/** Takes a message into the exchange in progress, or starts one where there is none. */
export function steer(run: Run, said: Steer): Received {
  return unlessKnown(run, said, joinNow);
}

/** Takes a message that was not taken before, if the run still takes messages when it is known to fit. */
function unlessKnown(run: Run, said: Steer, take: (run: Run, said: Steer) => MessageReceipt): Received {
  const taken = () => {
    const known = knownMessage(run.state, said);
    if (known === undefined) checkTakesMessages(run.state);
    return known;
  };
  return taken() ?? ifItFits(run, said, () => taken() ?? take(run, said));
}

function receive(run: Run, said: Steer): MessageReceipt {
  const { state } = run;
  if (!isConversation(state)) return join(run, said);
  const ahead = state.inbox.length + (state.phase.at === 'idle' ? 0 : 1);
  const message = messageOf(said, lastExchange(state) + 1);
  run.apply({ type: 'received', message, ahead });
  return { exchange: message.exchange, ahead, after: state.facts };
}

function joinNow(run: Run, said: Steer): MessageReceipt {
  if (run.state.phase.at === 'idle') return receive(run, said);
  const taken = join(run, said);
  if (said.when === 'now') {
    withdrawQuestions(run, said.by);
    if (run.modelCall !== undefined || run.state.phase.at === 'outage')
      run.breakOff({ why: 'steered', ...defined({ by: said.by }) });
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
  const { id, by } = said;
  return { parts: partsOf(said), exchange, at: Date.now(), ...defined({ id, by }) };
}

function withdrawQuestions(run: Run, by: string | undefined): void {
  for (const { toolUseId, question } of openQuestions(run.state)) {
    const reply = { action: 'withdrawn' as const, at: Date.now(), ...defined({ by }) };
    run.apply({ type: 'replied', toolUseId, questionId: question.questionId, reply });
  }
}

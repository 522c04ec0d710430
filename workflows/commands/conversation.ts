import { upsertMemo } from '@temporalio/workflow';
import type { MessageReceipt, QueuedMessage } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { AgentState } from '../../agent/state/state';
import type { Run } from '../run/run';
import { isConversation } from '../state/selectors/mode';
import type { GivenTitle, Sender } from './checks/check-message';
import { checkNotEnded, checkTakesMessages } from './checks/check-phase';

/** Stops the exchange in progress, and keeps the conversation. */
export function interrupt(run: Run, sender: Sender): { exchange: number } {
  const { state } = run;
  conversationOnly(state, 'be interrupted');
  checkNotEnded(state);
  if (state.phase.at === 'idle') throw new HoldfastError('NothingToInterrupt', { id: state.id });
  run.breakOff({ why: 'interrupted', ...sender });
  return { exchange: state.exchange };
}

/** Regenerates the last answer, as a new exchange. */
export function regenerate(run: Run, sender: Sender): MessageReceipt {
  const { state } = run;
  conversationOnly(state, 'regenerate an answer');
  checkTakesMessages(state);
  const problem =
    state.phase.at !== 'idle' || state.inbox.length > 0
      ? 'it is still answering'
      : state.exchange === 0
        ? 'it has none yet'
        : undefined;
  if (problem !== undefined) throw new HoldfastError('NothingToRegenerate', { id: state.id, problem });
  const exchange = state.exchange + 1;
  const message: QueuedMessage = { parts: [], exchange, at: Date.now(), regenerates: state.exchange, ...sender };
  run.apply({ type: 'received', message, ahead: 0 });
  return { exchange, ahead: 0, after: state.facts };
}

/** Takes no more messages. The run ends when those that wait are answered. */
export function close(run: Run, sender: Sender): { ahead: number } {
  const { state } = run;
  conversationOnly(state, 'be closed');
  checkNotEnded(state);
  if (state.closing === undefined) run.apply({ type: 'closing', why: 'closed', ...sender });
  return { ahead: state.inbox.length + (state.phase.at === 'idle' ? 0 : 1) };
}

/** Lists of runs show the title. */
export function rename(run: Run, { title, ...sender }: GivenTitle): void {
  checkNotEnded(run.state);
  upsertMemo({ holdfastTitle: title });
  run.apply({ type: 'renamed', title, ...sender });
}

function conversationOnly(state: AgentState, what: string): void {
  if (!isConversation(state)) throw new HoldfastError('NotAConversation', { id: state.id, what });
}

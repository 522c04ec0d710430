import { upsertMemo } from '@temporalio/workflow';
import type { MessageReceipt, QueuedMessage } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { isConversation } from '../state/selectors/mode';
import { endOf } from '../state/selectors/phase';
import { checkSender, checkTitle } from './checks/check-message';

/** Stops the exchange in progress, and keeps the conversation. */
export function interrupt(run: Run, given: unknown): { exchange: number } {
  const sender = checkSender(given);
  const { state } = run;
  conversationOnly(state, 'be interrupted');
  if (state.phase.at === 'ended') throw ended(state);
  if (state.phase.at === 'idle') throw new HoldfastError('NothingToInterrupt', { id: state.id });
  run.breakOff({ why: 'interrupted', ...byOf(sender) });
  return { exchange: state.exchange };
}

/** Regenerates the last answer, as a new exchange. */
export function regenerate(run: Run, given: unknown): MessageReceipt {
  const sender = checkSender(given);
  const { state } = run;
  conversationOnly(state, 'regenerate an answer');
  refuse(state);
  const problem =
    state.phase.at !== 'idle' || state.inbox.length > 0
      ? 'it is still answering'
      : state.exchange === 0
        ? 'it has none yet'
        : undefined;
  if (problem !== undefined) throw new HoldfastError('NothingToRegenerate', { id: state.id, problem });
  const exchange = state.exchange + 1;
  const message: QueuedMessage = { parts: [], exchange, at: Date.now(), regenerates: state.exchange, ...byOf(sender) };
  run.apply({ type: 'received', message, ahead: 0 });
  return { exchange, ahead: 0, after: state.facts };
}

/** Takes no more messages. The run ends when those that wait are answered. */
export function close(run: Run, given: unknown): { ahead: number } {
  const sender = checkSender(given);
  const { state } = run;
  conversationOnly(state, 'be closed');
  if (state.phase.at === 'ended') throw ended(state);
  if (state.closing === undefined) run.apply({ type: 'closing', why: 'closed', ...byOf(sender) });
  return { ahead: state.inbox.length + (state.phase.at === 'idle' ? 0 : 1) };
}

/** Lists of runs show the title. */
export function rename(run: Run, given: unknown): void {
  const { title, ...sender } = checkTitle(given);
  if (run.state.phase.at === 'ended') throw ended(run.state);
  upsertMemo({ holdfastTitle: title });
  run.apply({ type: 'renamed', title, ...byOf(sender) });
}

/** @throws HoldfastError `RunEnded`, or why the run could not begin */
export function refuse(state: AgentState): void {
  if (state.phase.at === 'ended' || state.closing !== undefined) throw ended(state);
}

/** The sender of a message to a run that cannot begin is told why. */
export function ended(state: AgentState): HoldfastError {
  const { reason, error } = endOf(state) ?? {};
  if (error !== undefined) return HoldfastError.revive(error.type, error.message, error.data);
  return new HoldfastError('RunEnded', { id: state.id, status: reason ?? 'closing' });
}

function conversationOnly(state: AgentState, what: string): void {
  if (!isConversation(state)) throw new HoldfastError('NotAConversation', { id: state.id, what });
}

export function byOf({ by }: { by?: string }): { by?: string } {
  return defined({ by });
}

import type { MessageReceipt } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { ChatLines } from '../lines/chat-lines';
import { budgetText } from '../lines/conversation-line';
import type { CommandConversation } from '../remote/run-client';
import { answerFrom } from '../waits/answer-text';
import { deciderOf } from '../waits/decide';
import type { Conversation } from './conversation';
import { type CommandName, countOf, helpLines, undoOf } from './input';
import { type ChatLine, chatLine, messageLines } from './line';
import type { Waits } from './waits';

/** What commands work on. */
export interface CommandScope {
  conversation: Conversation;
  lines: ChatLines;
  waits: Waits;
}

/** The direct result of a command. Facts show what happens in the run. */
export interface CommandResult {
  lines: ChatLine[];
  /** The message that it sent, if any. */
  taken?: MessageReceipt;
  leave?: true;
}

/** Executes a command. Throws the run's error if the run refuses it. */
export async function command(name: CommandName, rest: string, scope: CommandScope): Promise<CommandResult> {
  const { conversation, lines } = scope;
  switch (name) {
    case 'help':
      return note(helpLines().join('\n'));
    case 'exit':
      return { lines: [], leave: true };
    case 'id':
      return note(`${conversation.id}\n${conversation.command}`);
    case 'thinking':
      return lines.stream.thought === ''
        ? note('The model gave no reasoning.')
        : { lines: [chatLine('thinks', lines.stream.thought)] };
    case 'next':
      return { lines: [], taken: await conversation.send(rest) };
  }
  const { run } = conversation;
  if (run === undefined) {
    if (name === 'steer' || name === 'queue') return { lines: [], taken: await conversation.send(rest) };
    if (name === 'close') return { lines: [], leave: true };
    return problem('The conversation has not started. Send a message first.');
  }
  return ofRun(name, rest, { ...scope, run });
}

type OfRun = Exclude<CommandName, 'help' | 'exit' | 'id' | 'thinking' | 'next'>;

async function ofRun(
  name: OfRun,
  rest: string,
  { run, conversation, lines, waits }: CommandScope & { run: CommandConversation },
): Promise<CommandResult> {
  const { who } = conversation;
  switch (name) {
    case 'steer':
    case 'queue': {
      const when = name === 'steer' ? ('now' as const) : ('queue' as const);
      const taken = await run.steer(rest, { when, id: conversation.newMessage(), ...who });
      const later = when === 'queue' && lines.outage !== undefined;
      return { ...(later ? note('The model reads it when it answers again.') : { lines: [] }), taken };
    }
    case 'stop':
      await run.interrupt(who);
      return { lines: [] };
    case 'retry':
      await run.retry(who);
      return { lines: [] };
    case 'model': {
      const { to, changed } = await run.switchModel(rest, who);
      return changed ? { lines: [] } : note(`The model ${to} is in use already.`);
    }
    case 'compact': {
      const keep = rest === '' ? undefined : countOf(rest, 1);
      if (typeof keep === 'object') return problem(keep.problem);
      const { when } = await run.compact({ ...who, ...defined({ keep }) });
      return when === 'now' ? { lines: [] } : note('Old messages are compacted before the next model call.');
    }
    case 'regenerate':
      return { lines: [], taken: await run.regenerate(who) };
    case 'undo': {
      const what = undoOf(rest);
      if (typeof what === 'object' && 'problem' in what) return problem(what.problem);
      await run.undo(what, who);
      return { lines: [] };
    }
    case 'budget': {
      const budget = await run.budget();
      return note(
        budget === null
          ? 'Nothing is counted: the model has not been called yet, or its `contextWindow` is not configured.'
          : budgetText(budget),
      );
    }
    case 'history': {
      const count = countOf(rest, 20);
      if (typeof count === 'object') return problem(count.problem);
      return { lines: await lastMessages(run, count) };
    }
    case 'rename':
      await run.rename(rest, who);
      return { lines: [] };
    case 'close':
      await run.close(who);
      return { lines: [] };
    case 'waiting':
      return waits.again() ? { lines: [] } : note('Nothing waits for you.');
    case 'answer':
    case 'decline': {
      const question = waits.question();
      if (question === undefined) return problem('No question waits for an answer.');
      if (name === 'answer') await run.answer(question, answerFrom(rest, question.schema), who);
      else await run.decline(question, { ...who, ...(rest === '' ? {} : { reason: rest }) });
      return { lines: [] };
    }
    case 'approve':
    case 'deny': {
      const [, call = '', reason = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
      const found = waits.approvals(call);
      const [ask] = found;
      if (ask === undefined) {
        const pending = waits.approvals().map(({ toolUseId }) => toolUseId);
        throw new HoldfastError('ApprovalNotFound', { id: run.id, toolUseId: call, pending });
      }
      if (found.length > 1)
        return problem(`${found.length} calls are named ${call}: /waiting asks about each of them.`);
      const decider = deciderOf(who);
      if (name === 'approve') await run.approve(ask, { ...decider, ...(reason === '' ? {} : { comment: reason }) });
      else await run.deny(ask, { ...decider, ...(reason === '' ? {} : { reason }) });
      return { lines: [] };
    }
  }
}

/** The last messages of a conversation, after a note with the number of earlier ones. */
export async function lastMessages(run: CommandConversation, count: number): Promise<ChatLine[]> {
  const { messages: length } = await run.state();
  const from = Math.max(0, length - count);
  const messages = await run.transcript({ from });
  const before = from === 0 ? [] : [chatLine('note', `… ${from} earlier ${from === 1 ? 'message' : 'messages'}`)];
  return [...before, ...messageLines(messages.slice(0, length - from))];
}

function note(text: string): CommandResult {
  return { lines: [chatLine('note', text)] };
}

function problem(text: string): CommandResult {
  return { lines: [chatLine('error', text)] };
}

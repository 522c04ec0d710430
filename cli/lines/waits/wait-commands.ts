import type { Question } from '../../../agent/conversation/questions';
import type { PendingService } from '../../../agent/protocol/calls/pending-service';
import { visibleName } from '../../../agent/values/visible';
import { printedCommand } from '../../terminal/printed-command';

/** The fields of a waiting call that a command needs. */
interface Asked {
  id: string;
  toolUseId: string;
  deciders?: readonly string[];
}

/** The command that approves a call, on behalf of the first decider. */
export function approveCommand({ id, toolUseId, deciders = [] }: Asked): string {
  const [first] = deciders;
  const role = /^role:(.+)$/s.exec(first ?? '')?.[1];
  const who = role !== undefined ? ['--role', role] : first === undefined ? [] : ['--by', first];
  return printedCommand('approve', id, toolUseId, ...who);
}

/** The command that answers a call. `undefined` if a child workflow answers with its result. */
export function completeCommand({
  id,
  toolUseId,
  kind,
}: Pick<PendingService, 'id' | 'toolUseId' | 'kind'>): string | undefined {
  if (kind === 'child' || kind === 'agent') return undefined;
  return printedCommand('complete', id, toolUseId, '--data', '{…}');
}

/** The command that answers a question. */
export function answerCommand({
  id,
  questionId,
  schema,
}: Pick<Question, 'questionId' | 'schema'> & { id: string }): string {
  return printedCommand('answer', id, questionId, schema?.type === 'object' ? '{…}' : '…');
}

/** The command that sends a conversation its next message. */
export function sendCommand(id: string): string {
  return printedCommand('send', id, '…');
}

/** The command that ends a conversation. */
export function closeCommand(id: string): string {
  return printedCommand('close', id);
}

/** The commands that end the wait for a model that does not answer. */
export function modelCommands(id: string): string[] {
  return [printedCommand('retry', id), printedCommand('switch-model', id, '…')];
}

/** Who may decide, in words. */
export function whoMay(deciders: readonly string[] | undefined): string {
  return deciders === undefined || deciders.length === 0 ? 'anybody' : deciders.map(visibleName).join(' or ');
}

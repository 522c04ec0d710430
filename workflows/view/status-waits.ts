import type { BatchCall } from '../../agent/state/batch';
import type { AgentState } from '../../agent/state/state';
import { isHeldBack, openCalls } from '../state/selectors/calls';
import { retryAt } from '../state/selectors/phase';
import { openQuestions } from '../state/selectors/questions';
import { type WaitingCall, waitsFor } from '../state/selectors/wait-of';
import { code } from './code-text';

/** How many deciders the page names. */
const NAMED = 4;
/** Characters of a command. A command that is cut off would name another run. */
export const MAX_COMMAND = 600;
/** Ids that need no quoting in a shell. Other ids could do harm where a user copies the command. */
const PLAIN = /^[\w@%+=:,./-]{1,500}$/;

/** Whether the page may show a command with this id. */
export function isPlain(id: string): boolean {
  return PLAIN.test(id);
}

/** Open calls that do not wait for an earlier call. */
export function begunCalls(batch: readonly BatchCall[]): BatchCall[] {
  return openCalls(batch).filter((call) => !isHeldBack(batch, call));
}

/** What a run waits for, people first; `undefined` where it does not wait. Names no arguments: they may be secret. */
export function waitingText(state: Pick<AgentState, 'batch' | 'phase' | 'inbox'>): string | undefined {
  const { batch, phase, inbox } = state;
  if (phase.at === 'idle' && inbox.length === 0) return 'waits for a message';
  const asked = askedOf(batch);
  const questions = openQuestions({ batch });
  const served = servedOf(batch);
  const others = asked.length + questions.length + served.length - 1;
  const more = others < 1 ? '' : `, and for ${others === 1 ? 'one other' : `${others} others`}`;
  const [ask] = asked;
  if (ask !== undefined) {
    const { approval } = ask;
    const { toolUseId, name } = ask.call;
    const limit = approval.expiresAt === undefined ? '' : `, until ${iso(approval.expiresAt)}`;
    return `waits for ${whoMay(approval.deciders)} to approve ${code(name)} (${toolUseId})${limit}${more}`;
  }
  const [question] = questions;
  if (question !== undefined) {
    const { questionId, expiresAt } = question.question;
    const limit = expiresAt === undefined ? '' : `, until ${iso(expiresAt)}`;
    return `waits for a person to answer ${code(question.name)} (${questionId})${limit}${more}`;
  }
  const [first] = served;
  // While tools run at the same time, the run is not only waiting.
  if (first === undefined || begunCalls(batch).length > served.length) return undefined;
  const { expiresAt, since } = first.service;
  const { toolUseId, name } = first.call;
  const limit = expiresAt === undefined ? '' : `, until ${iso(expiresAt)}`;
  return `waits for an answer of ${code(name)} (${toolUseId}) since ${iso(since)}${limit}${more}`;
}

/** How to end the wait: from the command line, or by a plain signal. */
export function howToDecide({ id, agent, batch, phase }: AgentState): string[] {
  if (phase.at === 'ended') return [];
  const plain = isPlain(id);
  const [ask] = askedOf(batch);
  // Child workflows answer by their results.
  const remote = servedOf(batch).find(({ service: { kind } }) => kind === 'signal' || kind === 'event');
  const lines: string[] = [];
  if (retryAt({ phase }) !== undefined) {
    const command = plain ? `${code(`holdfast retry ${id}`, MAX_COMMAND)}, or ` : '';
    lines.push(`To retry now: ${command}the signal \`retry\` with ${code(JSON.stringify({ by: '…' }))}.`);
    const other = plain ? `${code(`holdfast switch-model ${id} '…'`, MAX_COMMAND)}, or ` : '';
    const choice = code(JSON.stringify({ model: '…', by: '…' }));
    lines.push(`To use another model: ${other}the signal \`switchModel\` with ${choice}.`);
    lines.push(
      `To cancel: ${plain ? `${code(`holdfast cancel ${id}`, MAX_COMMAND)}, or ` : ''}Request Cancellation above.`,
    );
  }
  if (ask !== undefined) {
    const { toolUseId } = ask.call;
    const command = `holdfast approve ${id} ${toolUseId}`;
    const kind = plain ? `${code(command, MAX_COMMAND)} (or \`deny\`, \`edit\`)` : '`holdfast inbox`';
    lines.push(`To decide: ${kind}, or the signal \`approve\` with ${code(JSON.stringify({ toolUseId, by: '…' }))}.`);
  }
  const [question] = openQuestions({ batch });
  if (question !== undefined) {
    const { questionId } = question.question;
    const command = plain ? `${code(`holdfast answer ${id} ${questionId} '…'`, MAX_COMMAND)}, or ` : '';
    lines.push(`To answer: ${command}the signal \`answer\` with ${code(JSON.stringify({ questionId, answer: '…' }))}.`);
  }
  if (phase.at === 'idle') {
    const command = plain ? `${code(`holdfast chat ${agent} --id ${id}`, MAX_COMMAND)}, or ` : '';
    lines.push(`To send a message: ${command}the signal \`send\` with ${code(JSON.stringify({ text: '…' }))}.`);
  }
  if (remote !== undefined) {
    const { toolUseId } = remote.call;
    const command = plain ? `${code(`holdfast complete ${id} ${toolUseId} --data '…'`, MAX_COMMAND)}, or ` : '';
    lines.push(
      `To answer: ${command}the signal \`toolResult\` with ${code(JSON.stringify({ toolUseId, data: '…' }))}.`,
    );
  }
  return lines.flatMap((line) => ['', line]);
}

/** Approvals that wait, the longest wait first. */
function askedOf(batch: readonly BatchCall[]): WaitingCall<'approval'>[] {
  return waitsFor(batch, 'approval').sort((a, b) => a.approval.requestedAt - b.approval.requestedAt);
}

function servedOf(batch: readonly BatchCall[]): WaitingCall<'answer'>[] {
  return waitsFor(batch, 'answer').sort((a, b) => a.service.since - b.service.since);
}

/** The deciders of an approval, as Markdown. */
export function whoMay(deciders: readonly string[] = []): string {
  if (deciders.length === 0) return 'a person';
  const named = deciders.slice(0, NAMED).map((name) => code(name));
  return [...named, ...(deciders.length > NAMED ? ['others'] : [])].join(' or ');
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

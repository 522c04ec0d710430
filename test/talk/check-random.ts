import type { Fact } from '../../agent/fact';
import type { Message, ToolResultPart } from '../../agent/message';
import type { Undone } from '../../agent/talk';
import type { ToolLine } from '../durability/tool-log';
import { saidTexts, talkProblems } from './check-talk';
import type { Deed } from './random-person';

/** All that is known of a conversation that has ended. */
export interface Ended {
  facts: Fact[];
  messages: Message[];
  deeds: readonly Deed[];
  /** What tools did, as they wrote it down themselves. */
  lines: readonly ToolLine[];
}

/** What people may be refused with. */
const REFUSALS: { readonly [What in Deed['what']]: RegExp } = {
  send: /^RunEnded$/,
  steer: /^RunEnded$/,
  interrupt: /^(NothingToInterrupt|RunEnded)$/,
  regenerate: /^(NothingToRegenerate|RunEnded)$/,
  undo: /^(NothingToUndo|NotUndoable|AlreadyUndone|RunEnded)$/,
  rename: /^RunEnded$/,
  answer: /^(QuestionClosed|RunEnded)$/,
  decline: /^(QuestionClosed|RunEnded)$/,
  approve: /^(ApprovalDecided|ApprovalNotFound|RunEnded)$/,
  deny: /^(ApprovalDecided|ApprovalNotFound|RunEnded)$/,
  edit: /^(ApprovalDecided|ApprovalNotFound|RunEnded)$/,
};

/** Each thing that persons did was done exactly once, or refused; what tools did was done once, or is told as unknown. */
export function randomProblems(ended: Ended): string[] {
  const { facts, messages, deeds } = ended;
  return [
    ...talkProblems(facts, messages),
    ...deeds.flatMap(({ what, about, taken, refused }) =>
      taken !== undefined || REFUSALS[what].test(refused ?? '') ? [] : [`${what} ${about}: ${refused}`],
    ),
    ...messageProblems(ended),
    ...interruptProblems(ended),
    ...answerProblems(ended),
    ...effectProblems(ended),
    ...undoProblems(ended),
  ];
}

function of(deeds: readonly Deed[], ...whats: Deed['what'][]): Deed[] {
  return deeds.filter(({ what }) => whats.includes(what));
}

function messageProblems({ facts, messages, deeds }: Ended): string[] {
  const texts = saidTexts(messages);
  const said = of(deeds, 'send', 'steer');
  const taken = new Set(said.flatMap((deed) => (deed.taken === undefined ? [] : deed.about)));
  const names = new Set(said.map(({ about }) => about));
  const numbers = new Set(said.map(({ about, taken }) => `${about} ${JSON.stringify(taken)}`));
  return [
    ...[...names].flatMap((mark) => {
      const [want, is] = [taken.has(mark) ? 1 : 0, texts.filter((text) => text === mark).length];
      const noted = facts.filter((fact) => fact.type === 'message.received' && fact.id === mark).length;
      return is === want && noted === want ? [] : [`${mark} stands ${is} times, is noted ${noted} times, not ${want}`];
    }),
    ...(numbers.size === names.size ? [] : ['a message that was sent twice was told two things']),
  ];
}

function interruptProblems({ facts, deeds }: Ended): string[] {
  return of(deeds, 'interrupt').flatMap(({ taken }) => {
    if (taken === undefined) return [];
    const { exchange } = taken as { exchange: number };
    const end = facts.find((fact) => fact.type === 'exchange.end' && fact.exchange === exchange);
    const reason = end?.type === 'exchange.end' ? end.reason : undefined;
    return reason === 'interrupted' ? [] : [`exchange ${exchange} was interrupted and ended as ${reason}`];
  });
}

function answerProblems({ messages, deeds }: Ended): string[] {
  const replies = of(deeds, 'answer', 'decline');
  return replies.flatMap((deed) => {
    const about = replies.filter((other) => other.about === deed.about && other.taken !== undefined);
    if (about.length > 1) return [`${deed.about} was answered ${about.length} times`];
    const text = JSON.stringify(resultOf(messages, deed.about)?.content ?? '');
    const told = text.includes(deed.with ?? '');
    return told === (deed.taken !== undefined) ? [] : [`${deed.what} ${deed.with}: the model was told ${text}`];
  });
}

function resultOf(messages: readonly Message[], toolUseId: string): ToolResultPart | undefined {
  return messages
    .flatMap(({ parts }) => parts)
    .find((part): part is ToolResultPart => part.type === 'tool_result' && part.toolUseId === toolUseId);
}

/** Calls of `once` tools. */
function effectProblems({ facts, deeds, lines }: Ended): string[] {
  return facts.flatMap((fact): string[] => {
    if (fact.type !== 'tool.result' && fact.type !== 'tool.error') return [];
    const { toolUseId, name } = fact;
    if (name !== 'put' && name !== 'pay') return [];
    const own = lines.filter((line) => line.toolUseId === toolUseId && line.tool.startsWith(name));
    const [starts, ends] = ['start', 'end'].map((event) => own.filter((line) => line.event === event).length);
    const outcome = fact.type === 'tool.result' ? 'done' : fact.error.type;
    const fits =
      outcome === 'done'
        ? starts === 1 && ends === 1
        : outcome === 'OutcomeUnknown'
          ? Number(starts) <= 1
          : starts === 0;
    const decisions = of(deeds, 'approve', 'deny', 'edit').filter((deed) => deed.about === toolUseId && deed.taken);
    const [decision] = decisions;
    const item = decision?.with ?? '';
    return [
      ...(fits ? [] : [`${name} ${toolUseId} began ${starts} times, ended ${ends} times, and is told as ${outcome}`]),
      ...(decisions.length > 1 ? [`${toolUseId} was decided ${decisions.length} times`] : []),
      ...(name === 'pay' && own.length > 0 && (decision === undefined || decision.what === 'deny')
        ? [`${toolUseId} ran without anybody's leave`]
        : []),
      ...(decision?.what === 'deny' && outcome !== 'Denied' && outcome !== 'ToolCancelled'
        ? [`${toolUseId} was denied, and is told as ${outcome}`]
        : []),
      ...(own.some(({ tool }) => !tool.endsWith(item)) ? [`${toolUseId} ran with other arguments than ${item}`] : []),
    ];
  });
}

function undoProblems({ facts, messages, deeds, lines }: Ended): string[] {
  const texts = saidTexts(messages).join('\n');
  const all = of(deeds, 'undo').flatMap(({ taken }) => (taken as Undone | undefined)?.undone ?? []);
  return [
    ...all.flatMap(({ toolUseId, error }) => {
      const own = lines.filter((line) => line.toolUseId === toolUseId && line.tool.startsWith('undo'));
      const [starts, ends] = ['start', 'end'].map((event) => own.filter((line) => line.event === event).length);
      const tries = all.filter((other) => other.toolUseId === toolUseId).length;
      const told = texts.split(new RegExp(`t(?:ook|ake) back ${toolUseId.replace('.', '\\.')} `)).length - 1;
      const fact = facts.filter((one) => /^undo\./.test(one.type) && 'toolUseId' in one && one.toolUseId === toolUseId);
      const fits = error === undefined ? starts === 1 && ends === 1 : Number(starts) <= 1;
      return [
        ...(fits ? [] : [`undo of ${toolUseId} began ${starts}, ended ${ends}, told as ${error?.type ?? 'done'}`]),
        ...(tries === 1 && fact.length === 1 && told === 1
          ? []
          : [`undo of ${toolUseId}: ${tries} answers, ${fact.length} facts, told ${told} times`]),
      ];
    }),
  ];
}

import type { Fact } from '../../../agent/protocol/facts/fact';
import { saidTexts, talkProblems } from '../../conversation/check-talk';
import type { ToolLine } from '../../durability/stage/tool-log';
import { GATED, ONCE } from './agents';
import type { Played } from './run';
import type { Deed } from './teller';

const DECISION = /^(ApprovalDecided|ApprovalNotFound|ApprovalExpired|NotADecider|RunEnded)$/;

/** What an update may be refused with. */
const REFUSALS: { readonly [what: string]: RegExp } = {
  send: /^RunEnded$/,
  steer: /^RunEnded$/,
  interrupt: /^(NothingToInterrupt|NotAConversation|RunEnded)$/,
  regenerate: /^(NothingToRegenerate|NotAConversation|RunEnded)$/,
  retry: /^(NothingToRetry|RunEnded)$/,
  switchModel: /^(UnknownModel|RunEnded)$/,
  compact: /^(NothingToCompact|RunEnded)$/,
  undo: /^(NothingToUndo|NotUndoable|AlreadyUndone|RunEnded)$/,
  answer: /^(QuestionClosed|QuestionExpired|InvalidReply|RunEnded)$/,
  approve: DECISION,
  deny: DECISION,
  edit: DECISION,
};
const MALFORMED = /^(InvalidMessage|InvalidDecision|RunEnded)$/;

/** The problems of a run that was played. `lines` are the traces that its tools wrote. */
export function runProblems(played: Played, lines: readonly ToolLine[]): string[] {
  if (played.stuck !== undefined) return [played.stuck];
  const { facts, messages, deeds } = played;
  return [
    ...talkProblems(facts, messages),
    ...retold(played),
    ...played.repeated,
    ...deeds.flatMap((deed) => refusalProblem(deed, facts)),
    ...messageProblems(played),
    ...interruptProblems(played),
    ...ONCE.flatMap((name) => effectProblems(name, played, lines)),
    ...undoProblems(played, lines),
  ];
}

function refusalProblem({ what, via, malformed, about, refused }: Deed, facts: readonly Fact[]): string[] {
  if (refused === undefined) {
    return malformed && via === 'update' ? [`${what} ${about} is malformed, and was taken`] : [];
  }
  const end = facts.at(-1);
  // A command that comes too late for a failed run is refused with the error of the run.
  if (end?.type === 'loop.end' && end.error?.type === refused) return [];
  const known = malformed ? MALFORMED : (REFUSALS[what] ?? /^RunEnded$/);
  return known.test(refused) ? [] : [`${what} ${about} was refused: ${refused}`];
}

/**
 * Facts keep their numbers, whichever worker answers the query. Their times may change once: a query may be answered
 * from a workflow task in progress, and that task starts again if its worker dies.
 */
export function retold({ heard, facts }: Pick<Played, 'heard' | 'facts'>): string[] {
  const text = (fact: Fact | undefined) => JSON.stringify({ ...fact, time: 0, expiresAt: 0 });
  const at = heard.findIndex((fact, i) => text(fact) !== text(facts[i]));
  if (at < 0) return [];
  const shown = (all: readonly Fact[]) => all.slice(Math.max(0, at - 3), at + 3).map((fact) => JSON.stringify(fact));
  return [`fact ${at + 1} was told differently before:\n${shown(heard).join('\n')}\nnow\n${shown(facts).join('\n')}`];
}

/** Each message is taken once. One that came by signal at the last moment may not be taken. */
function messageProblems({ facts, messages, deeds, end }: Played): string[] {
  const texts = saidTexts(messages);
  const said = deeds.filter(({ what, malformed }) => (what === 'send' || what === 'steer') && !malformed);
  return [...new Set(said.map(({ about }) => about))].flatMap((mark) => {
    const noted = facts.filter((fact) => fact.type === 'message.received' && fact.id === mark).length;
    const stands = texts.filter((text) => text === mark).length;
    const taken = said.filter(({ about, via, taken }) => about === mark && via === 'update' && taken !== undefined);
    const told = new Set(taken.map((deed) => JSON.stringify(deed.taken))).size;
    const fits = noted <= 1 && told <= 1 && (told === 0 || noted === 1);
    const read = end === 'completed' ? stands === noted : stands <= noted;
    return fits && read ? [] : [`${mark} was taken ${told} times, noted ${noted} times, and is read ${stands} times`];
  });
}

function interruptProblems({ facts, deeds }: Played): string[] {
  return deeds.flatMap(({ what, taken, via }) => {
    if (what !== 'interrupt' || via === 'signal' || taken === undefined) return [];
    const { exchange } = taken as { exchange: number };
    const end = facts.find((fact) => fact.type === 'exchange.end' && fact.exchange === exchange);
    const reason = end?.type === 'exchange.end' ? end.reason : undefined;
    return reason === 'interrupted' ? [] : [`exchange ${exchange} was interrupted and ended as ${reason}`];
  });
}

const DONE_BY_ITSELF = new Set(['ToolFailed', 'OutcomeUnknown']);

/** Problems with the calls of a tool whose calls take effect at most once. */
function effectProblems(name: string, { facts, deeds }: Played, lines: readonly ToolLine[]): string[] {
  return facts.flatMap((fact): string[] => {
    if ((fact.type !== 'tool.result' && fact.type !== 'tool.error') || fact.name !== name) return [];
    const { toolUseId } = fact;
    const own = lines.filter((line) => line.toolUseId === toolUseId && line.tool.startsWith(`${name} `));
    const [starts = 0, ends = 0] = ['start', 'end'].map((event) => own.filter((line) => line.event === event).length);
    const outcome = fact.type === 'tool.result' ? 'done' : fact.error.type;
    const fits =
      outcome === 'done' ? starts === 1 && ends === 1 : starts === 0 || (starts === 1 && DONE_BY_ITSELF.has(outcome));
    const begun = fits ? [] : [`${name} ${toolUseId} began ${starts} times, ended ${ends} times: ${outcome}`];
    if (!GATED.some((gated) => gated === name)) return begun;
    return [...begun, ...leaveProblems({ toolUseId, name, ran: own }, facts, deeds, outcome)];
  });
}

interface Ran {
  toolUseId: string;
  name: string;
  ran: readonly ToolLine[];
}

/** Problems with the calls of a tool that needs approval. */
function leaveProblems(
  { toolUseId, name, ran }: Ran,
  facts: readonly Fact[],
  deeds: readonly Deed[],
  outcome: string,
): string[] {
  const asked = facts.filter((fact) => fact.type === 'approval.requested' && fact.toolUseId === toolUseId);
  const decided = facts.filter((fact) => fact.type === 'approval.decided' && fact.toolUseId === toolUseId);
  const remembered = facts.find((fact) => fact.type === 'approval.remembered' && fact.toolUseId === toolUseId);
  const [decision] = decided;
  if (decided.length > 1) return [`${toolUseId} was decided ${decided.length} times`];
  if (decision?.type === 'approval.decided') {
    const mine = deeds.some(({ what, about }) => what === decision.decision && about === toolUseId);
    const item = decision.input?.item;
    return [
      ...(mine ? [] : [`${toolUseId} has a decision that was never sent: ${decision.decision}`]),
      ...(decision.decision === 'deny' && ran.length > 0 ? [`${toolUseId} was denied, and ran`] : []),
      ...(decision.decision === 'deny' && !/^(Denied|ToolCancelled)$/.test(outcome)
        ? [`${toolUseId} was denied, and is told as ${outcome}`]
        : []),
      ...(item !== undefined && ran.some(({ tool }) => tool !== `${name} ${item}`)
        ? [`${toolUseId} ran with other arguments than ${item}`]
        : []),
    ];
  }
  if (ran.length === 0) return [];
  if (remembered?.type === 'approval.remembered' && remembered.allowed) {
    const given = deeds.some(({ what, payload }) => what === 'approve' && payload.remember !== undefined);
    return given ? [] : [`${toolUseId} ran by a remembered approval that was never given`];
  }
  // `rent` asks about some of its calls only.
  return name === 'rent' && asked.length === 0 ? [] : [`${name} ${toolUseId} ran without approval`];
}

function undoProblems({ facts, deeds }: Played, lines: readonly ToolLine[]): string[] {
  return facts.flatMap((fact): string[] => {
    if (fact.type !== 'undo.done' && fact.type !== 'undo.failed') return [];
    const { toolUseId } = fact;
    const own = lines.filter((line) => line.toolUseId === toolUseId && line.tool.startsWith('undo'));
    const ends = own.filter(({ event }) => event === 'end').length;
    const tries = facts.filter((one) => /^undo\./.test(one.type) && 'toolUseId' in one && one.toolUseId === toolUseId);
    const asked = deeds.some(({ what }) => what === 'undo');
    return [
      ...(fact.type === 'undo.failed' || ends >= 1 ? [] : [`undo of ${toolUseId} is told as done, and was not`]),
      ...(tries.length === 1 && asked ? [] : [`undo of ${toolUseId} is told ${tries.length} times`]),
    ];
  });
}

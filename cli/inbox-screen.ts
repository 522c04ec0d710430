import type { Decider, PendingApproval, Remember } from '../agent/approval';
import type { JsonObject } from '../agent/json';
import type { Decided } from '../agent/state';
import type { PendingQuestion } from '../agent/talk';
import { repliedLine } from './answer';
import { decidedLine } from './decide';
import { errorText } from './exit';
import type { Edited } from './inbox-edit';
import { callDetails, isQuestion, questionDetails, type Waiting, waitingHint, waitingLabels } from './inbox-lines';
import type { Prompts } from './inbox-prompts';
import { askAnswer, type Said } from './inbox-question';

/** What a person decided on a call. */
export type Choice =
  | { decision: 'approve'; remember: Remember }
  | { decision: 'deny'; remember: Remember; reason?: string }
  | { decision: 'edit'; input: JsonObject };

/** What the screen of the inbox needs of the world. */
export interface InboxScreen {
  prompts: Prompts;
  decider: Decider;
  /** What waits now. */
  list(): Promise<Waiting[]>;
  decide(call: PendingApproval, choice: Choice): Promise<Decided>;
  reply(question: PendingQuestion, said: Said): Promise<void>;
  edit(input: JsonObject): Promise<Edited>;
  now(): number;
  /** Columns for one line. */
  width: number;
}

export const NOTHING = 'Nothing waits for a person.';

/** Shows what waits, again after each decision, until nothing does or the person leaves. */
export async function inboxScreen(screen: InboxScreen): Promise<void> {
  const { prompts, decider, list } = screen;
  const roles = decider.roles === undefined ? '' : ` (${decider.roles.join(', ')})`;
  prompts.begin(`Inbox of ${decider.by}${roles}`);
  for (;;) {
    const all = await list();
    if (all.length === 0) return prompts.end(NOTHING);
    const chosen = await chooseWaiting(screen, all);
    if (chosen === 'leave') return prompts.end(`${counted(all)}.`);
    if (chosen !== 'again') await handle(screen, chosen);
  }
}

function counted(all: readonly Waiting[]): string {
  const questions = all.filter(isQuestion).length;
  const calls = all.length - questions;
  const some = (count: number, what: string) =>
    count === 0 ? [] : [count === 1 ? `one ${what}` : `${count} ${what}s`];
  const said = [...some(calls, 'call'), ...some(questions, 'question')].join(' and ');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)} ${all.length === 1 ? 'waits' : 'wait'}`;
}

async function chooseWaiting(
  { prompts, now, width }: InboxScreen,
  all: readonly Waiting[],
): Promise<Waiting | 'again' | 'leave'> {
  const time = now();
  const labels = waitingLabels(all, time, width);
  const chosen = await prompts.choose(counted(all), [
    ...all.map((waiting, i) => ({ value: String(i), label: labels[i] ?? '', hint: waitingHint(waiting, time) })),
    { value: 'again', label: 'look again' },
    { value: 'leave', label: 'leave' },
  ]);
  if (chosen === 'again') return chosen;
  return all[Number(chosen)] ?? 'leave';
}

/** What the handling of one call, or question, needs. */
export type Handling = Omit<InboxScreen, 'list' | 'width'>;

/** Asks a person about one of them. Whatever goes wrong is one line, and the list goes on. */
export async function handle(screen: Handling, waiting: Waiting): Promise<'done' | 'later' | 'refused'> {
  const done = isQuestion(waiting) ? await replied(screen, waiting) : await decided(screen, waiting);
  if (done === undefined) return 'later';
  try {
    screen.prompts.say('done', await done());
    return 'done';
  } catch (error) {
    screen.prompts.say('problem', errorText(error));
    return 'refused';
  }
}

/** What is to be done, which gives the line to show; `undefined` where the person leaves it for later. */
type Deed = (() => Promise<string>) | undefined;

async function replied({ prompts, decider, reply, now }: Handling, question: PendingQuestion): Promise<Deed> {
  prompts.show(questionDetails(question, now()), question.tool);
  const said = await askAnswer(prompts, question);
  if (said === undefined) return undefined;
  return async () => {
    await reply(question, said);
    return repliedLine('decline' in said ? 'declined' : 'answered', { ...question, by: decider.by });
  };
}

async function decided(screen: Handling, call: PendingApproval): Promise<Deed> {
  screen.prompts.show(callDetails(call, screen.now()), call.tool);
  const choice = await chooseDecision(screen, call);
  return choice === undefined ? undefined : async () => decidedLine(await screen.decide(call, choice), call);
}

async function chooseDecision(screen: Handling, call: PendingApproval): Promise<Choice | undefined> {
  const { prompts } = screen;
  const what = await prompts.choose(`May ${call.tool} run?`, [
    { value: 'approve', label: 'approve' },
    { value: 'deny', label: 'deny' },
    { value: 'edit', label: 'edit', hint: 'run it with other arguments' },
    { value: 'skip', label: 'skip', hint: 'decide later' },
  ]);
  if (what === undefined || what === 'skip') return undefined;
  if (what === 'edit') return edited(screen, call);
  const reason = what === 'deny' ? await prompts.ask('Why not? The model reads it', 'Enter for no reason') : '';
  if (reason === undefined) return undefined;
  const remember = await chooseRemember(prompts, call);
  if (remember === undefined) return undefined;
  if (what === 'approve') return { decision: what, remember };
  return { decision: what, remember, ...(reason === '' ? {} : { reason }) };
}

/** A call of unknown outcome is a question of its own, which no remembered decision answers. */
async function chooseRemember(prompts: Prompts, { tool, owner, repeats }: PendingApproval) {
  if (repeats !== undefined) return 'once' as const;
  return prompts.choose<Remember>('Remember it?', [
    { value: 'once', label: 'no', hint: 'this call only' },
    { value: 'run', label: 'for this run', hint: `later calls of ${tool}` },
    {
      value: 'agent',
      label: 'for the agent',
      hint: `all runs ${owner === undefined ? 'without an owner' : `of ${owner}`}`,
    },
  ]);
}

async function edited({ prompts, edit }: Handling, { input }: PendingApproval): Promise<Choice | undefined> {
  const result = await edit(input);
  if (result === undefined) prompts.say('problem', 'The arguments are as before; nothing was decided.');
  else if ('problem' in result) prompts.say('problem', result.problem);
  else return { decision: 'edit', input: result.input };
  return undefined;
}

import type { Decider, PendingApproval, Remember } from '../../agent/approvals/approval';
import type { PendingQuestion } from '../../agent/conversation/questions';
import type { ApprovalOutcome } from '../../agent/state/batch';
import type { JsonObject } from '../../agent/values/json';
import { visibleJson } from '../../agent/values/visible';
import { errorText } from '../exit';
import { repliedLine } from '../waits/answer';
import { decidedLine } from '../waits/decide';
import type { Edited } from './edit';
import { callDetails, isQuestion, questionDetails, type Waiting, waitingHint, waitingLabels } from './lines';
import type { Listed } from './list';
import type { ListPrompts, Prompts } from './prompts';
import { askAnswer, type SentMessage } from './question';

/** A person's decision on a call. */
export type Choice =
  | { decision: 'approve'; remember: Remember }
  | { decision: 'deny'; remember: Remember; reason?: string }
  | { decision: 'edit'; input: JsonObject };

/** What the screen of the inbox needs. */
export interface InboxScreen {
  prompts: ListPrompts;
  decider: Decider;
  /** What waits now. */
  list(): Promise<Listed>;
  decide(call: PendingApproval, choice: Choice): Promise<ApprovalOutcome>;
  reply(question: PendingQuestion, said: SentMessage): Promise<void>;
  edit(input: JsonObject): Promise<Edited>;
  now(): number;
  /** Maximum columns of one line. */
  width: number;
}

/** Columns from which a line has room for a hint. */
const HINTED = 60;

export const NOTHING = 'Nothing waits for a person.';

/** Runs that wait, and did not say what for. */
export function unansweredLine(count: number): string {
  const runs = count === 1 ? 'One run that waits' : `${count} runs that wait`;
  return `${runs} did not answer: is ${count === 1 ? 'its' : 'their'} worker running?`;
}

/** Shows what waits, again after each decision, until nothing waits or the person leaves. */
export async function inboxScreen(screen: InboxScreen): Promise<void> {
  const { prompts, decider, list } = screen;
  const roles = decider.roles === undefined ? '' : ` (${decider.roles.join(', ')})`;
  prompts.begin(`Inbox of ${decider.by}${roles}`);
  let told = 0;
  for (;;) {
    const { waiting: all, unanswered } = await list();
    if (all.length === 0) return prompts.end(unanswered === 0 ? NOTHING : unansweredLine(unanswered));
    if (unanswered !== told && unanswered > 0) prompts.say('problem', unansweredLine(unanswered));
    told = unanswered;
    const chosen = await chooseWaiting(screen, all);
    if (chosen === 'leave') return prompts.end(`${counted(all)}.`);
    if (chosen === 'again') continue;
    const details = isQuestion(chosen) ? questionDetails(chosen, screen.now()) : callDetails(chosen, screen.now());
    prompts.show(details, chosen.tool);
    await handle(screen, chosen);
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
    ...all.map((waiting, i) => ({
      value: String(i),
      label: labels[i] ?? '',
      // It would break the line; the details say it too.
      ...(width < HINTED ? {} : { hint: waitingHint(waiting, time) }),
    })),
    { value: 'again', label: 'look again' },
    { value: 'leave', label: 'leave' },
  ]);
  if (chosen === 'again') return chosen;
  return all[Number(chosen)] ?? 'leave';
}

/** What handling one call or question needs. */
export type Handling = Pick<InboxScreen, 'decider' | 'decide' | 'reply' | 'edit'> & { prompts: Prompts };

/** Asks a person about a call or question that is on the screen already. An error is shown as one line. */
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

/** The action to carry out, which returns the line to show. `undefined` if the person leaves it for later. */
type Deed = (() => Promise<string>) | undefined;

async function replied({ prompts, decider, reply }: Handling, question: PendingQuestion): Promise<Deed> {
  const said = await askAnswer(prompts, question);
  if (said === undefined) return undefined;
  return async () => {
    await reply(question, said);
    return repliedLine('decline' in said ? 'declined' : 'answered', { ...question, by: decider.by });
  };
}

async function decided(screen: Handling, call: PendingApproval): Promise<Deed> {
  const choice = await chooseDecision(screen, call);
  return choice === undefined ? undefined : async () => decidedLine(await screen.decide(call, choice), call);
}

async function chooseDecision(screen: Handling, call: PendingApproval): Promise<Choice | undefined> {
  const { prompts } = screen;
  const { toolUseId, tool, repeats } = call;
  let remember: Remember = 'once';
  for (;;) {
    const what = await prompts.pick(`May ${tool} run? ${toolUseId}`, [
      { key: 'a', value: 'approve', label: 'approve' },
      { key: 'd', value: 'deny', label: 'deny' },
      { key: 'e', value: 'edit', label: 'edit', hint: 'run it with other arguments' },
      { key: 's', value: 'skip', label: 'skip', hint: 'decide later' },
      // Remembered decisions do not apply to a call that repeats one of unknown outcome.
      ...(repeats === undefined
        ? [{ key: 'r', value: 'remember' as const, label: 'remember', hint: `now: ${lastsText(remember, call)}` }]
        : []),
    ]);
    switch (what) {
      case 'remember':
        remember = LONGER[remember];
        continue;
      case 'approve':
        return { decision: what, remember };
      case 'deny': {
        const reason = await prompts.ask('Why not? The model reads it', 'Enter for no reason');
        if (reason === undefined) return undefined;
        return { decision: what, remember, ...(reason === '' ? {} : { reason }) };
      }
      case 'edit':
        return edited(screen, call);
      default:
        return undefined;
    }
  }
}

/** The next choice each time the person asks to remember the decision longer. */
const LONGER = { once: 'run', run: 'agent', agent: 'once' } as const satisfies { [R in Remember]: Remember };

function lastsText(remember: Remember, { tool, owner }: PendingApproval): string {
  switch (remember) {
    case 'once':
      return 'this call only';
    case 'run':
      return `later calls of ${tool} in this run too`;
    case 'agent':
      return `calls of ${tool} in all runs ${owner === undefined ? 'without an owner' : `of ${owner}`}`;
  }
}

/** Shows edited arguments before the call runs: the person may have left the editor by accident. */
async function edited({ prompts, edit }: Handling, call: PendingApproval): Promise<Choice | undefined> {
  let { input } = call;
  for (;;) {
    const result = await edit(input);
    if (result !== undefined && 'problem' in result) {
      prompts.say('problem', result.problem);
      return undefined;
    }
    if (result === undefined && input === call.input) {
      prompts.say('problem', 'The arguments are as before; nothing was decided.');
      return undefined;
    }
    input = result?.input ?? input;
    prompts.show(visibleJson(input, 2), `${call.tool}, other arguments`);
    const what = await prompts.pick(`May ${call.tool} run with these arguments? ${call.toolUseId}`, [
      { key: 'a', value: 'approve', label: 'approve' },
      { key: 'e', value: 'edit', label: 'edit again' },
      { key: 's', value: 'skip', label: 'skip', hint: 'decide later' },
    ]);
    if (what === 'approve') return { decision: 'edit', input };
    if (what !== 'edit') return undefined;
  }
}

import type { Decider, PendingApproval, Remember } from '../agent/approval';
import type { JsonObject } from '../agent/json';
import type { Decided } from '../agent/state';
import { decidedLine } from './decide';
import { errorText } from './exit';
import type { Edited } from './inbox-edit';
import { callDetails, callHint, callLabels } from './inbox-lines';
import type { Prompts } from './inbox-prompts';

/** What a person decided on a call. */
export type Choice =
  | { decision: 'approve'; remember: Remember }
  | { decision: 'deny'; remember: Remember; reason?: string }
  | { decision: 'edit'; input: JsonObject };

/** What the screen of the inbox needs of the world. */
export interface InboxScreen {
  prompts: Prompts;
  decider: Decider;
  /** The calls that wait now. */
  list(): Promise<PendingApproval[]>;
  decide(call: PendingApproval, choice: Choice): Promise<Decided>;
  edit(input: JsonObject): Promise<Edited>;
  now(): number;
  /** Columns for one call. */
  width: number;
}

export const NOTHING = 'Nothing waits for a person.';

/** Shows what waits, again after each decision, until nothing does or the person leaves. */
export async function inboxScreen(screen: InboxScreen): Promise<void> {
  const { prompts, decider, list } = screen;
  const roles = decider.roles === undefined ? '' : ` (${decider.roles.join(', ')})`;
  prompts.begin(`Inbox of ${decider.by}${roles}`);
  for (;;) {
    const calls = await list();
    if (calls.length === 0) return prompts.end(NOTHING);
    const chosen = await chooseCall(screen, calls);
    if (chosen === 'leave') return prompts.end(calls.length === 1 ? 'One call waits.' : `${calls.length} calls wait.`);
    if (chosen !== 'again') await handle(screen, chosen);
  }
}

async function chooseCall(
  { prompts, now, width }: InboxScreen,
  calls: readonly PendingApproval[],
): Promise<PendingApproval | 'again' | 'leave'> {
  const time = now();
  const labels = callLabels(calls, time, width);
  const chosen = await prompts.choose(calls.length === 1 ? 'One call waits' : `${calls.length} calls wait`, [
    ...calls.map((call, i) => ({ value: String(i), label: labels[i] ?? '', hint: callHint(call, time) })),
    { value: 'again', label: 'look again' },
    { value: 'leave', label: 'leave' },
  ]);
  if (chosen === 'again') return chosen;
  return calls[Number(chosen)] ?? 'leave';
}

/** Whatever goes wrong with one call is one line, and the list goes on. */
async function handle(screen: InboxScreen, call: PendingApproval): Promise<void> {
  const { prompts, decide, now } = screen;
  prompts.show(callDetails(call, now()), call.tool);
  const choice = await chooseDecision(screen, call);
  if (choice === undefined) return;
  try {
    prompts.say('done', decidedLine(await decide(call, choice), call));
  } catch (error) {
    prompts.say('problem', errorText(error));
  }
}

async function chooseDecision(screen: InboxScreen, call: PendingApproval): Promise<Choice | undefined> {
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

async function edited({ prompts, edit }: InboxScreen, { input }: PendingApproval): Promise<Choice | undefined> {
  const result = await edit(input);
  if (result === undefined) prompts.say('problem', 'The arguments are as before; nothing was decided.');
  else if ('problem' in result) prompts.say('problem', result.problem);
  else return { decision: 'edit', input: result.input };
  return undefined;
}

import type { Decider, PendingApproval } from '../../agent/approvals/approval';
import { defined } from '../../agent/values/defined';
import { visibleJson } from '../../agent/values/visible';
import { isTerminal, say, terminalColumns, warn } from '../../runtime/print';
import type { Place } from '../remote/place';
import { type CommandClient, withRunClient } from '../remote/run-client';
import { deciderAt } from '../waits/decide';
import { editArguments } from './edit';
import { findWaiting, type InboxFilter, type Listed } from './list';
import { clackPrompts, loadClack, type Prompts } from './prompts';
import { type Choice, type InboxScreen, inboxScreen, NOTHING, unansweredLine } from './screen';

export interface InboxOptions extends InboxFilter, Place {
  by?: string;
  role?: string[];
  json?: boolean;
}

/** Columns that a prompt takes for itself. */
const MARGIN = 6;

/** `holdfast inbox`: an interactive list on a terminal, otherwise lines of JSON. */
export function inbox(options: InboxOptions): Promise<number> {
  return withRunClient(options, async (client) => {
    const first = await findWaiting(client, options);
    if ('problem' in first) {
      warn(first.problem);
      return 1;
    }
    const asks = options.json !== true && process.stdin.isTTY && isTerminal();
    if (asks) return decideAll(client, options, first);
    for (const waiting of first.waiting) say(visibleJson(waiting));
    if (first.unanswered > 0) warn(unansweredLine(first.unanswered));
    else if (first.waiting.length === 0 && options.json !== true) warn(NOTHING);
    return 0;
  });
}

async function decideAll(client: CommandClient, options: InboxOptions, first: Listed): Promise<number> {
  const decider = deciderAt(client, options);
  const prompts = clackPrompts(await loadClack());
  let known: Listed | undefined = first;
  await inboxScreen({
    prompts,
    decider,
    async list() {
      const found = known ?? (await findWaiting(client, options));
      known = undefined;
      return 'waiting' in found ? found : { waiting: [], unanswered: 0 };
    },
    ...deeds(client, decider, prompts),
    now: () => Date.now(),
    width: terminalColumns() - MARGIN,
  });
  return 0;
}

/** Carries out what a person chose. */
export function deeds(
  client: CommandClient,
  decider: Decider,
  prompts: Prompts,
): Pick<InboxScreen, 'decide' | 'reply' | 'edit'> {
  const { by } = decider;
  return {
    decide: (call, choice) => send(client, call, { ...decider, ...choice }),
    async reply(question, said) {
      const run = client.get(question.id);
      if ('answer' in said) await run.answer(question, said.answer, { by });
      else await run.decline(question, { by, ...defined({ reason: said.reason }) });
    },
    edit: (input) => editArguments(input, { prompts }),
  };
}

function send(client: CommandClient, call: PendingApproval, made: Choice & { by: string; roles?: readonly string[] }) {
  const run = client.get(call.id);
  switch (made.decision) {
    case 'approve':
      return run.approve(call, plain(made));
    case 'deny':
      return run.deny(call, plain(made));
    case 'edit':
      return run.edit(call, plain(made));
  }
}

function plain<T extends { decision: string }>({ decision: _, ...rest }: T): Omit<T, 'decision'> {
  return rest;
}

import type { PendingApproval } from '../agent/approval';
import type { AgentClient } from '../client/agent-client';
import { deciderOf } from './decide';
import { editArguments } from './inbox-edit';
import { shownJson } from './inbox-lines';
import { type InboxFilter, waitingCalls } from './inbox-list';
import { clackPrompts, loadClack } from './inbox-prompts';
import { type Choice, inboxScreen, NOTHING } from './inbox-screen';
import { withClient } from './with-client';

export interface InboxOptions extends InboxFilter {
  config?: string;
  by?: string;
  role?: string[];
  json?: boolean;
}

/** Columns that a prompt takes for itself. */
const MARGIN = 6;

/** `holdfast inbox`: on a terminal a list to decide from, elsewhere a line of JSON a call. */
export function inbox(options: InboxOptions): Promise<number> {
  return withClient(options.config, async (client) => {
    const first = await waitingCalls(client, options);
    if ('problem' in first) {
      process.stderr.write(`${first.problem}\n`);
      return 1;
    }
    const asks = options.json !== true && process.stdin.isTTY && process.stdout.isTTY;
    if (asks) return decideAll(client, options, first.calls);
    for (const call of first.calls) process.stdout.write(`${shownJson(call)}\n`);
    if (first.calls.length === 0 && options.json !== true) process.stderr.write(`${NOTHING}\n`);
    return 0;
  });
}

async function decideAll(client: AgentClient, options: InboxOptions, first: PendingApproval[]): Promise<number> {
  const decider = deciderOf(options);
  const prompts = clackPrompts(await loadClack());
  let known: PendingApproval[] | undefined = first;
  await inboxScreen({
    prompts,
    decider,
    async list() {
      const waiting = known === undefined ? await waitingCalls(client, options) : { calls: known };
      known = undefined;
      return 'calls' in waiting ? waiting.calls : [];
    },
    decide(call, choice) {
      return send(client, call, { ...decider, ...choice });
    },
    edit: (input) => editArguments(input, { prompts }),
    now: () => Date.now(),
    width: (process.stdout.columns ?? 80) - MARGIN,
  });
  return 0;
}

function send(client: AgentClient, call: PendingApproval, made: Choice & { by: string; roles?: readonly string[] }) {
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

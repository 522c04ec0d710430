import type { Decider, Remember } from '../../agent/approvals/approval';
import { HoldfastError } from '../../agent/errors/error';
import type { ApprovalOutcome } from '../../agent/state/batch';
import { isJsonObject } from '../../agent/values/json';
import { visible } from '../../agent/values/visible';
import { orHoldfastError } from '../../client/requests/client-error';
import { say } from '../../runtime/print';
import { DECIDED, LASTS } from '../inbox/decision-words';
import { oneLine } from '../lines/facts/fact-line';
import type { Place } from '../remote/place';
import { type CommandClient, type CommandRun, remoteOf } from '../remote/run-client';
import { readJson } from '../runs/input';
import { requiredName, userName } from '../user-name';
import { withRun } from '../with-run';

export interface DecideOptions extends Place {
  by?: string;
  role?: string[];
  hash?: string;
  remember?: Remember;
  comment?: string;
  reason?: string;
  /** The new arguments of an edited call: JSON, `@file` or `-`. */
  input?: string;
}

/** `holdfast approve`. */
export function approve(run: string, call: string, options: DecideOptions): Promise<number> {
  const { remember, comment } = options;
  return decide(run, call, options, (handle, ask, decider) =>
    handle.approve(ask, { ...decider, ...given({ remember, comment }) }),
  );
}

/** `holdfast deny`. */
export function deny(run: string, call: string, options: DecideOptions): Promise<number> {
  const { remember, reason } = options;
  return decide(run, call, options, (handle, ask, decider) =>
    handle.deny(ask, { ...decider, ...given({ remember, reason }) }),
  );
}

/** `holdfast edit`: approves a call with other arguments. */
export async function edit(run: string, call: string, options: DecideOptions): Promise<number> {
  const fail = (problem: string) =>
    new HoldfastError('InvalidDecision', { problem: `the new arguments cannot be read, ${problem}` });
  const input = await readJson(options.input ?? '', fail);
  if (!isJsonObject(input)) {
    throw new HoldfastError('InvalidDecision', { problem: 'Expected `input` to be the new arguments, an object' });
  }
  const { remember, comment } = options;
  return decide(run, call, options, (handle, ask, decider) =>
    handle.edit(ask, { ...decider, input, ...given({ remember, comment }) }),
  );
}

type Ask = { toolUseId: string; hash?: string };

async function decide(
  id: string,
  toolUseId: string,
  options: DecideOptions,
  send: (run: CommandRun, ask: Ask, decider: Decider) => Promise<ApprovalOutcome>,
): Promise<number> {
  return withRun(options, id, async (run, client) => {
    const decider = await deciderFor(client, id, options);
    const decided = await send(run, { toolUseId, ...given({ hash: options.hash }) }, decider);
    say(decidedLine(decided, { id, toolUseId }));
    return 0;
  });
}

/**
 * The decider: `--by`, or else the user of this machine. Roles are trusted, as everywhere.
 * @throws HoldfastError `InvalidDecision` if there is no name
 */
export function deciderOf(
  { by, role }: Pick<DecideOptions, 'by' | 'role'>,
  env: { USER?: string; USERNAME?: string } = process.env,
): Decider {
  const name = requiredName(by, env);
  return { by: name, ...(role === undefined || role.length === 0 ? {} : { roles: role }) };
}

/**
 * The same for a decision on one run. A run that does not exist is reported before a missing name.
 * @throws HoldfastError `RunNotFound`, `InvalidDecision`
 */
export async function deciderFor(
  client: CommandClient,
  id: string,
  options: Pick<DecideOptions, 'by' | 'role'>,
): Promise<Decider> {
  const { temporal } = client;
  if (temporal !== undefined && userName(options.by) === undefined) {
    await temporal.workflow
      .getHandle(id)
      .describe()
      .catch((error: unknown) => {
        throw orHoldfastError(error, id);
      });
  }
  return deciderAt(client, options);
}

/** The decider: at a served address, the user of the token. */
export function deciderAt(client: CommandClient, options: Pick<DecideOptions, 'by' | 'role'>): Decider {
  const remote = remoteOf(client);
  return remote === undefined ? deciderOf(options) : { by: remote.user.user };
}

/** One line about a decision. */
export function decidedLine(
  { decision, by = '', comment, remember = 'once' }: ApprovalOutcome,
  { id, toolUseId, tool }: { id: string; toolUseId: string; tool?: string },
): string {
  const call = tool === undefined ? toolUseId : `${toolUseId} ${tool}`;
  const said = comment ? `: ${comment}` : '';
  return oneLine(visible(`${DECIDED[decision]} ${call} of ${id} by ${by}${LASTS[remember]}${said}`));
}

/** The fields without those that are `undefined`. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

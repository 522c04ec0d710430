import { limitsText } from '../../agent/budget/budget-text';
import { HoldfastError } from '../../agent/errors/error';
import type { Money } from '../../agent/model/cost/money';
import { defined } from '../../agent/values/defined';
import type { Duration } from '../../agent/values/duration';
import { visible } from '../../agent/values/visible';
import { say, warn } from '../../runtime/print';
import { EXIT } from '../exit-code';
import { oneLine } from '../lines/facts/fact-line';
import type { Place } from '../remote/place';
import { withRunClient } from '../remote/run-client';
import { userName } from '../user-name';
import { withClient } from '../with-client';
import { withRun } from '../with-run';
import { endOf } from './run-end';

export interface SessionOptions extends Place {
  by?: string;
}

/** `holdfast send`: sends a message, which starts an exchange of a conversation, or which a task reads next. */
export function send(id: string, words: readonly string[], { by, ...place }: SessionOptions): Promise<number> {
  return withRun(place, id, async (run) => {
    const { exchange, ahead } = await run.send(words.join(' '), who(by));
    const before = ahead === 0 ? '' : `, after ${ahead} other${ahead === 1 ? '' : 's'}`;
    return said(`sent to ${id}: exchange ${exchange}${before}`);
  });
}

export interface SteerOptions extends SessionOptions {
  /** Interrupt a model call in progress. */
  now?: boolean;
}

/** `holdfast steer`: sends a message that the model reads during its work. */
export function steer(
  id: string,
  words: readonly string[],
  { by, now = false, ...place }: SteerOptions,
): Promise<number> {
  return withRun(place, id, async (run) => {
    const { exchange } = await run.steer(words.join(' '), { ...who(by), when: now ? 'now' : 'queue' });
    return said(`sent to ${id}: exchange ${exchange}`);
  });
}

/** `holdfast interrupt`: ends the exchange in progress of a conversation. */
export function interrupt(id: string, { by, ...place }: SessionOptions): Promise<number> {
  return withRun<number, 'conversation'>(place, id, async (run) => {
    const { exchange } = await run.interrupt(who(by));
    return said(`exchange ${exchange} of ${id} is interrupted`);
  });
}

/** `holdfast runs nudge`: has a run go on in a new history. */
export function nudge(id: string, { config }: SessionOptions): Promise<number> {
  return withClient(config, async (client) => {
    await client.get(id).continueAsNew();
    return said(`${id} goes on in a new history as soon as it can`);
  });
}

/** `holdfast regenerate`: has a conversation answer its last message again. */
export function regenerate(id: string, { by, ...place }: SessionOptions): Promise<number> {
  return withRun<number, 'conversation'>(place, id, async (run) => {
    const { exchange } = await run.regenerate(who(by));
    return said(`${id} answers again: exchange ${exchange}`);
  });
}

/** `holdfast undo`: undoes what the last tools did, or one call. Exit code 1 if an inverse failed. */
export function undo(id: string, what: number | string, { by, ...place }: SessionOptions): Promise<number> {
  return withRun(place, id, async (run) => {
    const { undone } = await run.undo(typeof what === 'number' ? what : { toolUseId: what }, who(by));
    for (const { toolUseId, tool, text, error } of undone) {
      const sign = error === undefined ? 'undone' : error.type === 'OutcomeUnknown' ? '✗ perhaps undone' : '✗';
      said(`${sign} ${toolUseId} ${tool}: ${error?.message ?? text}`);
    }
    return undone.every(({ error }) => error === undefined) ? EXIT.done : EXIT.failed;
  });
}

/** `holdfast rename`: gives a run a title, which lists show. */
export function rename(id: string, words: readonly string[], { by, ...place }: SessionOptions): Promise<number> {
  const title = words.join(' ');
  return withRun(place, id, async (run) => {
    await run.rename(title, who(by));
    return said(`${id} is now called ${title}`);
  });
}

/** `holdfast retry`: calls a model that did not answer again at once. */
export function retry(id: string, { by, ...place }: SessionOptions): Promise<number> {
  return withRun(place, id, async (run) => {
    await run.retry(who(by));
    return said(`${id} asks its model again`);
  });
}

/** `holdfast switch-model`: has a run use another model from its next call on. */
export function switchModel(id: string, alias: string, { by, ...place }: SessionOptions): Promise<number> {
  return withRun(place, id, async (run) => {
    const { from, to, changed } = await run.switchModel(alias, who(by));
    return said(changed ? `${id} uses the model ${to} in place of ${from}` : `${id} uses the model ${to} already`);
  });
}

/** `holdfast compact`: has a run replace its old messages in what the model is sent. */
export function compact(id: string, { by, keep, ...place }: SessionOptions & { keep?: number }): Promise<number> {
  return withRun(place, id, async (run) => {
    const { when, messages } = await run.compact({ ...who(by), ...defined({ keep }) });
    const time = when === 'now' ? 'now' : 'before its next model call';
    return said(`${id} compacts ${messages} ${messages === 1 ? 'message' : 'messages'} ${time}`);
  });
}

export interface RaiseOptions extends SessionOptions {
  tokens?: number;
  cost?: Money;
  toolCalls?: number;
  modelCalls?: number;
  time?: Duration;
  deadline?: Duration;
  /** The limits are those of each exchange. */
  perExchange?: boolean;
}

/** `holdfast raise-budget`: raises limits of what a run, or each of its exchanges, may spend. */
export function raiseBudget(
  id: string,
  { by, config, url, perExchange = false, ...limits }: RaiseOptions,
): Promise<number> {
  if (Object.keys(limits).length === 0) {
    warn('error: expected a limit, such as `--tokens 200000`');
    return Promise.resolve(EXIT.usage);
  }
  return withRun(defined({ config, url }), id, async (run) => {
    const inForce = await run.raiseBudget(limits, { ...who(by), ...(perExchange ? { scope: 'exchange' } : {}) });
    return said(`${perExchange ? `each exchange of ${id}` : id} may use ${limitsText(inForce)}`);
  });
}

/** `holdfast close`: ends a conversation after it has answered the messages that it received. */
export function close(id: string, { by, ...place }: SessionOptions): Promise<number> {
  return withRun<number, 'conversation'>(place, id, async (run) => {
    await run.close(who(by));
    return said(`${id} takes no more messages`);
  });
}

/** `holdfast cancel`: asks a run to stop. It needs no worker. Refused for a run that has ended, as by other commands. */
export function cancel(id: string, place: SessionOptions): Promise<number> {
  return withRunClient(place, async (client) => {
    const status = await endOf(client, id);
    if (status !== undefined) {
      const message = `The run \`${id}\` had already ended (${status}): there is nothing to cancel.`;
      throw new HoldfastError('RunEnded', { id, status }, { message });
    }
    await client.get(id).cancel();
    return said(`${id} is being cancelled`);
  });
}

/** `holdfast delete`: removes a run that has ended, with its history. */
export function remove(id: string, place: SessionOptions): Promise<number> {
  return withRunClient(place, async (client) => {
    await client.delete(id);
    return said(`${id} is being deleted`);
  });
}

function who(by: string | undefined): { by?: string } {
  return defined({ by: userName(by) });
}

function said(line: string): number {
  say(oneLine(visible(line)));
  return EXIT.done;
}

import { defined } from '../../agent/values/defined';
import { visible } from '../../agent/values/visible';
import { say } from '../../runtime/print';
import { oneLine } from '../lines/fact-line';
import { userName } from '../user-name';
import { withClient } from '../with-client';

export interface SessionOptions {
  config?: string;
  by?: string;
}

/** `holdfast rename`: gives a run a title, which lists show. */
export function rename(id: string, words: readonly string[], { config, by }: SessionOptions): Promise<number> {
  const title = words.join(' ');
  return withClient(config, async (client) => {
    await client.get(id).rename(title, who(by));
    return said(`${id} is now called ${title}`);
  });
}

/** `holdfast close`: ends a conversation after it has answered the messages that it received. */
export function close(id: string, { config, by }: SessionOptions): Promise<number> {
  return withClient(config, async (client) => {
    await client.get<unknown, 'conversation'>(id).close(who(by));
    return said(`${id} takes no more messages`);
  });
}

/** `holdfast retry`: calls a model that did not answer again at once. */
export function retry(id: string, { config, by }: SessionOptions): Promise<number> {
  return withClient(config, async (client) => {
    await client.get(id).retry(who(by));
    return said(`${id} asks its model again`);
  });
}

/** `holdfast delete`: removes a run that has ended, with its history. */
export function remove(id: string, { config }: SessionOptions): Promise<number> {
  return withClient(config, async (client) => {
    await client.delete(id);
    return said(`${id} is being deleted`);
  });
}

function who(by: string | undefined): { by?: string } {
  return defined({ by: userName(by) });
}

function said(line: string): number {
  say(oneLine(visible(line)));
  return 0;
}

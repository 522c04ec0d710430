import { oneLine } from './fact-line';
import { printable } from './show-table';
import { withClient } from './with-client';

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

/** `holdfast close`: a conversation answers what it was told, and ends. */
export function close(id: string, { config, by }: SessionOptions): Promise<number> {
  return withClient(config, async (client) => {
    await client.get(id).close(who(by));
    return said(`${id} takes no more messages`);
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
  const name = by ?? process.env.USER;
  return name ? { by: name } : {};
}

function said(line: string): number {
  process.stdout.write(`${oneLine(printable(line))}\n`);
  return 0;
}

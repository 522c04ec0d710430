import type { Log } from '../../../agent/define/context';

/** What the owner of a model has to know. */
type Doubt = 'usage' | 'prices';

/** Tells of a doubt about a model, in words that continue a sentence. */
export type Warn = (about: Doubt, text: string) => void;

/** Warnings about models, each once for an alias and a worker: a server that counts wrong does so in every answer. */
export function onceEach(log: Pick<Log, 'warn'> | undefined): (alias: string) => Warn {
  const said = new Set<string>();
  return (alias) => (about, text) => {
    const key = `${about} ${alias}`;
    if (said.has(key)) return;
    said.add(key);
    log?.warn({ model: alias }, `Model \`${alias}\`: ${text}`);
  };
}

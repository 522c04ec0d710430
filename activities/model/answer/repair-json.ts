import { createContext, Script } from 'node:vm';

// It ships CommonJS code, but types for `import` only, which TypeScript refuses in a CommonJS file.
const { jsonrepair } = require('jsonrepair') as typeof import('jsonrepair', { with: { 'resolution-mode': 'import' }});

/**
 * Milliseconds that one text is repaired, and all of an answer together. The library takes the third power of the length
 * for some texts: 6 s for 4,000 characters (`a“` again and again), while it repairs what models get wrong in one or two.
 */
const ONE = 100;
const ALL = 500;

/** Code in a context of `node:vm` can be stopped from outside, and what it calls with it. */
const call = new Script('work()');

/** Repairs the broken JSON of one answer, as long as there is time for it. */
export class JsonRepair {
  private left = ALL;
  private context: { work?: () => string } | undefined;

  /** @throws what the library throws, or that it took too long */
  repair(text: string): string {
    if (this.left < 1) throw new Error('no time left to repair it');
    this.context ??= createContext({}) as { work?: () => string };
    this.context.work = () => jsonrepair(text);
    const began = performance.now();
    try {
      return call.runInContext(this.context, { timeout: Math.min(ONE, Math.floor(this.left)) });
    } finally {
      this.left -= performance.now() - began;
    }
  }
}

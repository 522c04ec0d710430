import { createContext, Script } from 'node:vm';

// It ships CommonJS code, but types for `import` only, which TypeScript rejects in a CommonJS file.
const { jsonrepair } = require('jsonrepair') as typeof import('jsonrepair', { with: { 'resolution-mode': 'import' }});

/**
 * Milliseconds for repairing one text, and all texts of an answer together. For some texts the library takes the third
 * power of the length: 6 s for 4,000 characters (`a“` repeated), while it repairs common mistakes of models in one or
 * two.
 */
const ONE = 100;
const ALL = 500;
/**
 * Characters that take a few milliseconds whatever they are: they need no limit, which a busy machine would reach for any
 * text.
 */
const SHORT = 500;

/** Code in a context of `node:vm` can be stopped from outside, together with what it calls. */
const call = new Script('work()');

/** Repairs the broken JSON of one answer, as long as there is time left. */
export class JsonRepair {
  private left = ALL;
  private context: { work?: () => string } | undefined;

  /** @throws what the library throws, or an error when it took too long */
  repair(text: string): string {
    if (this.left < 1) throw new Error('no time left to repair it');
    const began = performance.now();
    try {
      return text.length <= SHORT ? jsonrepair(text) : this.#repairInTime(text);
    } finally {
      this.left -= performance.now() - began;
    }
  }

  #repairInTime(text: string): string {
    this.context ??= createContext({}) as { work?: () => string };
    this.context.work = () => jsonrepair(text);
    return call.runInContext(this.context, { timeout: Math.min(ONE, Math.floor(this.left)) });
  }
}

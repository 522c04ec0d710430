const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const Runner = require('jest-runner').default;

/**
 * Jest's runner, which begins no file after the moment of `HOLDFAST_PROOFS_UNTIL` (milliseconds since 1970; default: no
 * such moment) and names those that it has left out, or writes their list to the file `HOLDFAST_PROOFS_LEFT`. What has
 * begun goes on to its end.
 */
module.exports = class InTimeRunner extends Runner {
  #until = Number(process.env.HOLDFAST_PROOFS_UNTIL ?? Number.POSITIVE_INFINITY);
  #waiting = new Set();

  async runTests(tests, watcher, options) {
    for (const test of tests) this.#waiting.add(test);
    this.on('test-file-start', ([test]) => this.#waiting.delete(test));
    // Jest takes a file that it does not begin for one that has failed.
    const inTime = {
      on: (...args) => watcher.on(...args),
      isInterrupted: () => watcher.isInterrupted() || this.#isLate(),
    };
    await super.runTests(tests, inTime, options);
    if (this.#waiting.size === 0) return;
    const names = [...this.#waiting].map(({ path }) => relative(process.cwd(), path)).sort();
    const { HOLDFAST_PROOFS_LEFT: list } = process.env;
    if (list !== undefined) return writeFileSync(list, JSON.stringify(names));
    process.stderr.write(
      `\nNot begun, for lack of time (${names.length}):\n${names.map((name) => `  ${name}\n`).join('')}`,
    );
  }

  on(event, listener) {
    if (event !== 'test-file-failure') return super.on(event, listener);
    return super.on(event, (args) => (this.#waiting.has(args[0]) ? undefined : listener(args)));
  }

  #isLate() {
    return Date.now() > this.#until;
  }
};

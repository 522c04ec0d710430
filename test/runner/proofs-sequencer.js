const { createHash } = require('node:crypto');
const Sequencer = require('@jest/test-sequencer').default;

/** What is proved first, whichever files are drawn. */
const ALWAYS = ['package/package', 'determinism/same-requests'];

/** Files that take longest. Without times of an earlier run Jest would begin them by size, and wait for them at the end. */
const LONGEST = [
  'chains/random',
  'chains/long-conversation',
  'properties/random-answers',
  'hostile/ai-sdk',
  'durability/restarts/waiting-restart',
  'determinism/random',
  'undo/undo',
  'hostile/inputs-fleet',
  'hostile/inputs-worker',
];

/** Of the longest files, a draw takes one in so many. */
const DRAWS = 3;

/**
 * The longest files first, so that none is waited for at the end.
 *
 * Where there is no time for all files, `HOLDFAST_PROOFS_DRAW` (a whole number) gives another order for each number, so
 * that each file has its turn: a part of the longest, then all others in a random order. The other long ones are left
 * out, and named. Those that run alone are all in a random order: a long one that came first would often be the only one.
 */
module.exports = class ProofsSequencer extends Sequencer {
  sort(tests) {
    const { HOLDFAST_PROOFS_DRAW: draw } = process.env;
    const sorted = super.sort(tests);
    if (draw === undefined) return by(sorted, firstLongest);
    const isLeftOut = (test) => isLong(test) && indexIn(LONGEST, test) % DRAWS !== draw % DRAWS;
    const names = sorted.filter(isLeftOut).map(nameOf).sort();
    if (names.length > 0)
      process.stderr.write(`Not drawn (${names.length}):\n${names.map((name) => `  ${name}\n`).join('')}`);
    return by(
      sorted.filter((test) => !isLeftOut(test)),
      (test) => (isAlone(test) ? 0 : firstLongest(test)) + random(`${draw} ${nameOf(test)}`),
    );
  }
};

const indexIn = (files, { path }) => files.findIndex((file) => path.includes(`/test/${file}.`));
const isLong = (test) => indexIn(LONGEST, test) >= 0;
const isAlone = ({ path }) => path.endsWith('.alone.ts');
const nameOf = ({ path }) => path.slice(path.lastIndexOf('/test/') + 1);

function firstLongest(test) {
  const files = [...ALWAYS, ...LONGEST];
  const found = indexIn(files, test);
  return found < 0 ? files.length : found;
}

function by(tests, place) {
  const places = new Map(tests.map((test) => [test, place(test)]));
  return [...tests].sort((a, b) => places.get(a) - places.get(b));
}

/** From 0 to 1, the same for the same text. */
function random(text) {
  return createHash('sha256').update(text).digest().readUInt32LE() / 2 ** 32;
}

const Sequencer = require('@jest/test-sequencer').default;

/** Files that take longest. Without times of an earlier run Jest would begin them by size, and wait for them at the end. */
const FIRST = [
  'determinism/random',
  'hostile/inputs',
  'durability/blocked-worker',
  'chains/chains',
  'cli/main',
  'durability/shutdown',
  'undo/undo',
  'cli/chat/chat',
];

module.exports = class extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const found = FIRST.findIndex((file) => path.endsWith(`/test/${file}.test.ts`));
      return found < 0 ? FIRST.length : found;
    };
    return [...super.sort(tests)].sort((a, b) => place(a) - place(b));
  }
};

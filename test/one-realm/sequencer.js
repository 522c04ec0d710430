const Sequencer = require('@jest/test-sequencer').default;

/** Files that take longest. Without times of an earlier run Jest would begin them by size, and wait for them at the end. */
const FIRST = [
  'chains/random',
  'chains/long-conversation',
  'package/package',
  'determinism/same-requests',
  'properties/random-answers',
  'hostile/ai-sdk',
  'durability/waiting-restart',
  'determinism/random',
  'undo/undo',
  'hostile/inputs-fleet',
  'hostile/inputs-worker',
];

module.exports = class extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const found = FIRST.findIndex((file) => path.includes(`/test/${file}.`));
      return found < 0 ? FIRST.length : found;
    };
    return [...super.sort(tests)].sort((a, b) => place(a) - place(b));
  }
};

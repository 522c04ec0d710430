// `npm test` runs the hostile model servers over one API.
process.env.HOLDFAST_ALL_APIS = '1';

/** Proofs that take minutes, beside each other: the first half of `npm run proofs`. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  // What loads a server, or ends it, has one of its own.
  globalSetup: '<rootDir>/test/runner/global-setup.ts',
  runner: '<rootDir>/test/runner/in-time.js',
  testSequencer: '<rootDir>/test/runner/proofs-sequencer.js',
  testMatch: ['**/*.long.ts', '**/hostile/model-*.test.ts'],
  // The first of them begin while the machine is still quiet, and take several times as long beside the others.
  testTimeout: 900_000,
  // Each of them starts several processes: more at once end no earlier, and each waits longer.
  maxWorkers: require('node:os').availableParallelism(),
};

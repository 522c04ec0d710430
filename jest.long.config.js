/** Proofs that take minutes: `npm run proofs`. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  testMatch: ['**/*.long.ts'],
  testTimeout: 300_000,
  // One after another: they measure time.
  maxWorkers: 1,
};

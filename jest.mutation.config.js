/** What mutations are tried against: the tests of pure code, which need neither a server nor a worker. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  testEnvironment: 'node',
  runtime: undefined,
  globalSetup: undefined,
  testMatch: ['agent', 'workflows'].map((pure) => `<rootDir>/test/${pure}/**/*.test.ts`),
  maxWorkers: 1,
};

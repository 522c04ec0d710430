/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/one-realm/environment.js',
  runtime: '<rootDir>/test/one-realm/runtime.js',
  globalSetup: '<rootDir>/test/runner/with-dev-server.ts',
  globalTeardown: '<rootDir>/test/runner/global-teardown.ts',
  roots: ['<rootDir>/test', '<rootDir>/examples'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      },
    ],
  },
  moduleNameMapper: {
    '^holdfast$': '<rootDir>/agent/index.ts',
    '^holdfast/workflows$': '<rootDir>/workflows/index.ts',
    '^holdfast/worker$': '<rootDir>/workers/index.ts',
    '^holdfast/client$': '<rootDir>/client/index.ts',
    '^holdfast/server$': '<rootDir>/client/gateway/index.ts',
    '^holdfast/testing$': '<rootDir>/test/kit/index.ts',
  },
  testTimeout: 60_000,
  // What files leave in a process adds up, and the garbage collector goes through it again and again.
  workerIdleMemoryLimit: '1GB',
  // Half of what a test takes is waiting for servers and workers, which are processes of their own.
  maxWorkers: 2 * require('node:os').availableParallelism(),
};

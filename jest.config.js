/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/global-setup.ts',
  roots: ['<rootDir>/test', '<rootDir>/examples'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    '^holdfast$': '<rootDir>/agent/index.ts',
    '^holdfast/workflows$': '<rootDir>/workflows/index.ts',
    '^holdfast/worker$': '<rootDir>/workers/index.ts',
    '^holdfast/client$': '<rootDir>/client/index.ts',
    '^holdfast/testing$': '<rootDir>/test/kit/index.ts',
  },
  testTimeout: 60_000,
  maxWorkers: 2,
};

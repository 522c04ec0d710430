/** Proofs that measure time or memory, one after another: the second half of `npm run proofs`. @type {import('jest').Config} */
module.exports = { ...require('./jest.long.config.js'), testMatch: ['**/*.alone.ts'], maxWorkers: 1 };

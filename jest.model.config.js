/** Proofs against a real weak model: `npm run proofs:model`, which fetches it first. @type {import('jest').Config} */
module.exports = { ...require('./jest.long.config.js'), testMatch: ['**/*.model.ts'], maxWorkers: 1 };

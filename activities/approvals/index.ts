export { createJudgeCalls } from './judge-calls';
export { readGrants } from './read-grants';
export { writeGrants } from './write-grants';

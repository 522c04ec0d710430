export { createJudgeAnswer } from './judge-answer';
export { readGrants } from './read-grants';
export { writeGrants } from './write-grants';

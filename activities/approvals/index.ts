export { readGrants } from './read-grants';
export { createRulesCheck } from './rules-of-answer';
export { writeGrants } from './write-grants';

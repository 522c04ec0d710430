import { defineAgent } from '../../agent/define/agent';

/** Has a server whose tools ask. */
export const desk = defineAgent({ name: 'questions.desk', mcp: { ops: 'ops' } });

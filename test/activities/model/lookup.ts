import type { ToolSpec } from '../../../agent/protocol/manifest';

export const lookup: ToolSpec = {
  name: 'look.up',
  kind: 'internal',
  modelName: 'look_up',
  description: 'Looks up',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  effect: 'read',
  priority: 0,
  timeout: 1000,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
};

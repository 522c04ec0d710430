import { DEFAULT_TOOL_TIMEOUT } from '../../agent/limits';
import type { ToolSpec } from '../../agent/protocol/manifest';

/** How a tool is run. */
export type Policy = Pick<
  ToolSpec,
  'effect' | 'priority' | 'timeout' | 'heartbeatTimeout' | 'attempts' | 'placement' | 'cancellation'
>;

/** The policy of a tool that declares none: safe before fast. */
export const DEFAULT_POLICY = {
  effect: 'once',
  priority: 0,
  timeout: DEFAULT_TOOL_TIMEOUT,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
} as const satisfies Policy;

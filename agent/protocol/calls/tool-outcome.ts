import type { ContentPart } from '../../model/message';
import type { ToolErrorType, ToolOutcome } from './tool-call';

/** A call that failed. The model reads `message`, followed by `more`. */
export function errorOutcome(type: ToolErrorType, message: string, more: readonly ContentPart[] = []): ToolOutcome {
  return { content: [{ type: 'text', text: message }, ...more], error: { type, message } };
}

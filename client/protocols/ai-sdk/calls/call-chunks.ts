import type { JsonObject } from '../../../../agent/values/json';
import type { UiChunk } from '../chunks';
import type { ToolName } from './tool-names';

export function startOf(toolCallId: string, call: ToolName): UiChunk {
  return { type: 'tool-input-start', toolCallId, toolName: call.name, ...dynamic(call) };
}

export function availableOf(toolCallId: string, call: ToolName, input: JsonObject): UiChunk {
  return { type: 'tool-input-available', toolCallId, toolName: call.name, input, ...dynamic(call) };
}

export function dynamic(call: ToolName): { dynamic?: true } {
  return call.dynamic ? { dynamic: true } : {};
}

/** Names an approval together with the arguments that were shown: people approve only what they saw. */
export function approvalIdOf(toolUseId: string, hash: string): string {
  return `${toolUseId}.${hash.slice(0, 32)}`;
}

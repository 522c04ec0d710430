import { type ModelReply, text } from 'holdfast/testing';
import type { JsonObject } from '../../agent/values/json';

/** The answer of a planner that plans these steps. */
export function plans(...steps: JsonObject[]): ModelReply {
  return text(JSON.stringify({ needs_tools: true, steps }));
}

/** A step that runs after the step before it. */
export function step(step_number: number, description: string, more: JsonObject = {}): JsonObject {
  return { step_number, description, ...more };
}

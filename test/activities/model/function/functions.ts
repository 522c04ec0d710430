import { defineModel, type ModelDefinition, type ModelStream } from 'holdfast/worker';

export const END = { type: 'finish', reason: 'stop' } as const;
export const model = (stream: ModelStream, extra: Partial<ModelDefinition> = {}) =>
  defineModel({ model: 'm', stream, ...extra });
/** A function that yields anything. */
export const yielding = (...given: unknown[]): ModelStream =>
  async function* () {
    yield* given as never[];
  };
/** A function that throws before it yields anything. */
export const throwing = (error: unknown): ModelStream =>
  // biome-ignore lint/correctness/useYield: it throws instead
  async function* () {
    throw error;
  };

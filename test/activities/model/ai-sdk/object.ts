import type { AiSdkModel } from 'holdfast/worker';
import type { CallOptions } from '../../../../activities/model/adapters/ai-sdk/request/prompt-form';

export const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'end' }, usage: {} };
export const hello = [{ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'hello' }, finish];

/** An object of a provider that streams these parts. */
export function object(
  parts: readonly unknown[],
  about: Partial<AiSdkModel> = {},
): AiSdkModel & { options: CallOptions[] } {
  const options: CallOptions[] = [];
  return {
    options,
    specificationVersion: 'v3',
    provider: 'acme.chat',
    modelId: 'one',
    doStream: async (given: never) => {
      options.push(given);
      return { stream: ReadableStream.from(parts) };
    },
    ...about,
  };
}

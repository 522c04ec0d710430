import type { StreamAnswerArgs } from '../../activities/model/answer/stream-answer';
import type { ModelAnswer } from '../../agent/model/answer';
import type { ContentPart, MediaPart, Message } from '../../agent/model/message';
import { defined } from '../../agent/values/defined';
import { ask } from '../activities/model/asking';
import { lookup } from '../activities/model/lookup';
import { closeAfterTest } from '../close-after-test';
import type { Provider, ProviderKind, WireStep } from './provider';
import type { AskedMessage, Feature } from './wire';

export const PNG: MediaPart = { type: 'media', mediaType: 'image/png', data: 'iVBORw0KGgo=' };

/** A provider for one test. */
export async function open(kind: ProviderKind, ...steps: WireStep[]): Promise<Provider> {
  return closeAfterTest(await kind.open(...steps));
}

export function has({ lacks }: ProviderKind, feature: Feature): boolean {
  return !lacks.includes(feature);
}

/** The answer of a provider whose model has the tool `look_up`. */
export function askIt(provider: Provider, extra: Partial<StreamAnswerArgs> = {}): Promise<ModelAnswer> {
  return ask(provider.model(), { tools: [lookup], ...extra });
}

export const user = (...parts: ContentPart[]): Message => ({ role: 'user', parts, turn: 0 });
export const text = (value: string): ContentPart => ({ type: 'text', text: value });

/** The exchange that follows an answer with calls, as a run keeps it: the answer, and a result for each call. */
export function followed(answer: ModelAnswer, ...results: ContentPart[][]): Message[] {
  const { providerData, parts, toolRequests } = answer;
  const uses = toolRequests.map(({ input, providerId }, i) => ({
    type: 'tool_use' as const,
    toolUseId: `t1.${i + 1}`,
    name: lookup.name,
    input,
    ...defined({ providerId }),
  }));
  return [
    { role: 'assistant', parts: [...parts, ...uses], turn: 1, ...defined({ providerData }) },
    ...results.map((content, i): Message => {
      const result = { type: 'tool_result' as const, toolUseId: `t1.${i + 1}`, name: lookup.name, content };
      return { role: 'user', parts: [result], turn: 1 };
    }),
  ];
}

/** What the provider is asked after an answer with calls has its results. */
export async function askedAfter(
  provider: Provider,
  answer: ModelAnswer,
  ...results: ContentPart[][]
): Promise<readonly AskedMessage[]> {
  await askIt(provider, { messages: [user(text('hi')), ...followed(answer, ...results)], call: 2 });
  return provider.requests.at(-1)?.messages ?? [];
}

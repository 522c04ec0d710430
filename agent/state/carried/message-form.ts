import type { QueuedMessage } from '../../conversation/messages';
import type {
  ContentPart,
  MediaPart,
  Message,
  Part,
  ReasoningPart,
  TextPart,
  ToolResultPart,
  ToolUsePart,
} from '../../model/message';
import {
  count,
  type Form,
  jsonObject,
  listOf,
  maybe,
  number,
  objectOf,
  oneOf,
  text,
  variantsOf,
  yes,
} from '../../values/form';

const textPart = objectOf<TextPart>({ type: oneOf({ text: true }), text });

const mediaPart = objectOf<MediaPart>({
  type: oneOf({ media: true }),
  mediaType: text,
  data: maybe(text),
  url: maybe(text),
  name: maybe(text),
});

export const contentParts: Form<ContentPart[]> = listOf(variantsOf<ContentPart>({ text: textPart, media: mediaPart }));

const part = variantsOf<Part>({
  text: textPart,
  media: mediaPart,
  reasoning: objectOf<ReasoningPart>({
    type: oneOf({ reasoning: true }),
    text,
    providerData: maybe(jsonObject),
  }),
  tool_use: objectOf<ToolUsePart>({
    type: oneOf({ tool_use: true }),
    toolUseId: text,
    name: text,
    input: jsonObject,
    rawInput: maybe(text),
    providerId: maybe(text),
  }),
  tool_result: objectOf<ToolResultPart>({
    type: oneOf({ tool_result: true }),
    toolUseId: text,
    name: text,
    content: contentParts,
    isError: maybe(yes),
  }),
});

/** Only readers set `missing`. */
export const message: Form<Message> = objectOf<Omit<Message, 'missing'>>({
  role: oneOf({ user: true, assistant: true }),
  parts: listOf(part),
  turn: count,
  seenCount: maybe(number),
  providerData: maybe(jsonObject),
  partial: maybe(yes),
});

export const messages: Form<Message[]> = listOf(message);

export const queuedMessages: Form<QueuedMessage[]> = listOf(
  objectOf<QueuedMessage>({
    parts: contentParts,
    exchange: count,
    at: number,
    id: maybe(text),
    by: maybe(text),
    regenerates: maybe(count),
  }),
);

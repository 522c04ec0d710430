import { type ContentPart, type MediaPart, type Message, type Part, seenCount } from '../../../agent/model/message';
import { maskedMedia } from '../../../agent/prompts/calls/results';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';

/** Returns what to send in place of a media part that the model has already been shown `seen` times. */
export type MediaMask = (part: MediaPart, seen: number) => ContentPart;

/** Shows media once; later calls see a text that names type and format. */
export const maskSeen: MediaMask = (part, seen) => (seen > 0 ? { type: 'text', text: maskedMedia(part) } : part);

/** Which call it is, and from which on the media count. */
export type Showing = Pick<CallModelInput, 'turn' | 'mediaAgain'>;

/** The transcript as a call sends it. The stored transcript does not change. */
export function maskMedia(
  messages: readonly Message[],
  { turn: call, mediaAgain }: Showing,
  mask: MediaMask = maskSeen,
): Message[] {
  return messages.map((message) => {
    if (message.role === 'assistant' || !message.parts.some(hasMedia)) return message;
    const isAgain = mediaAgain !== undefined && message.turn >= mediaAgain.from;
    const seen = seenCount(message, call, isAgain ? mediaAgain.since : 0);
    const shown = (part: ContentPart): ContentPart => (part.type === 'media' ? mask(part, seen) : part);
    const parts = message.parts.map((part): Part => {
      if (part.type === 'tool_result') return { ...part, content: part.content.map(shown) };
      return part.type === 'media' ? shown(part) : part;
    });
    return { ...message, parts };
  });
}

function hasMedia(part: Part): boolean {
  return part.type === 'media' || (part.type === 'tool_result' && part.content.some((piece) => piece.type === 'media'));
}

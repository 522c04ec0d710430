import type { ModelMessage } from '../../../agent/model/adapter';
import { visibleJson } from '../../../agent/values/visible';
import { mediaText } from '../transcript';
import type { PromptView } from './view';

const STATE = { sent: 'sent', sending: 'not answered', next: 'not called yet' } as const;

/** A prompt as lines for people: each text is whole, and indented. */
export function promptLines({ turn, model, state, system, messages, tools, sections, notes }: PromptView): string[] {
  const { hash, names = [], unknown = [] } = sections ?? {};
  return [
    `turn ${turn}, ${model}, ${STATE[state]}`,
    ...(sections === undefined
      ? []
      : [`sections  ${names.join(', ') || 'none'}${hash === undefined ? '' : ` (${hash})`}`]),
    ...unknown.map((name) => `! ${name}: its function runs with the call`),
    ...notes.map((note) => `! ${note}`),
    ...(tools.length === 0 ? [] : [`tools  ${tools.join(', ')}`]),
    ...(system === undefined ? [] : ['', 'system', ...indented(system)]),
    ...messages.flatMap((message) => ['', message.role, ...textsOf(message).flatMap(indented)]),
  ];
}

function textsOf(message: ModelMessage): string[] {
  if (message.role === 'tool') return [`← ${message.id} ${message.name}`, ...message.content.map(textOf)];
  return message.content.map(textOf);
}

function textOf(part: ModelMessage['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `(thinks) ${part.text}`;
    case 'call':
      return `→ ${part.id} ${part.name} ${visibleJson(part.input)}`;
    case 'media':
      return mediaText(part);
  }
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

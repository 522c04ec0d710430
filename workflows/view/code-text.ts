import { shorten } from '../../agent/values/shorten';

const MAX_NAME = 60;

/** External text as Markdown code. Replaces backticks, which would end the code. */
export function code(text: string, max = MAX_NAME): string {
  return `\`${shorten(text.replaceAll('`', "'"), max) || ' '}\``;
}

import { shorten } from '../../agent/values/shorten';

const MAX_NAME = 60;

/** Text of others as code, which a backtick of theirs would end. */
export function code(text: string, max = MAX_NAME): string {
  return `\`${shorten(text.replaceAll('`', "'"), max) || ' '}\``;
}

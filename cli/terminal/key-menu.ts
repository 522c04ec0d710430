import { visible } from '../../agent/values/visible';
import { oneLine } from '../lines/fact-line';

/** What one key of a menu stands for. */
export interface KeyOption<Value extends string = string> {
  /** One letter or digit. */
  key: string;
  value: Value;
  label: string;
  hint?: string;
}

/** What a line that was typed at a menu means. */
export type Picked<Value extends string> =
  | { type: 'picked'; value: Value }
  /** It decides nothing, and is no text that somebody may have meant for others. */
  | { type: 'nothing'; hint: string }
  | { type: 'text' };

/**
 * A line decides where it is one key of the menu and nothing else, and that key was pressed by itself, before Enter. No
 * sentence can be that, however it is typed, and nothing is chosen beforehand that Enter alone would confirm.
 */
export function pickedBy<Value extends string>(
  options: readonly KeyOption<Value>[],
  line: string,
  pressed: string | undefined,
): Picked<Value> {
  const typed = line.trim().toLowerCase();
  if (typed === '') return { type: 'nothing', hint: `Enter alone decides nothing. ${keysText(options)}` };
  const option = options.find(({ key }) => key === typed);
  if (option === undefined) return { type: 'text' };
  if (pressed === option.key) return { type: 'picked', value: option.value };
  const hint = `\`${option.key}\` did not count: it was pasted, or typed before you could read this. ${keysText(options)}`;
  return { type: 'nothing', hint };
}

/** How to choose, as a sentence. */
export function keysText(options: readonly KeyOption[]): string {
  const keys = options.map(({ key }) => key);
  return `Type ${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}, then Enter.`;
}

/** One option as a row: a label that a model wrote must not look like another option. */
export function optionText({ key, label, hint }: KeyOption): string {
  return `${key}  ${oneLine(visible(`${label}${hint === undefined ? '' : ` (${hint})`}`))}`;
}

import { visible } from '../../agent/values/visible';
import { oneLine } from '../lines/facts/fact-line';

/** One option of a menu. */
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
  /** It decides nothing, and it is not a message. */
  | { type: 'nothing'; hint: string }
  | { type: 'text' };

/**
 * A line decides only if it is one key of the menu and that key was pressed by itself, before Enter. A sentence can
 * never decide, and there is no preselected choice that Enter alone would confirm.
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

/** One option as one row, so that a label from a model cannot imitate another option. */
export function optionText({ key, label, hint }: KeyOption): string {
  return `${key}  ${oneLine(visible(`${label}${hint === undefined ? '' : ` (${hint})`}`))}`;
}

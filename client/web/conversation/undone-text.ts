import type { Undone } from '../api/runs';

/** What an undo did, in words. */
export function undoneText(undone: readonly Undone[]): string {
  return undone
    .map(({ tool, text, error }) => `${error === undefined ? 'Undone' : 'Not undone'}: ${tool}: ${text}`)
    .join('\n');
}

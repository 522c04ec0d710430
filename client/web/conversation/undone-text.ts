import type { Undone } from '../api/runs';

/** What an undo did, in words. */
export function undoneText(undone: readonly Undone[]): string {
  if (undone.length === 0) return 'Nothing was undone.';
  return undone
    .map(({ name, tool, toolUseId, text, error }) => {
      const call = name ?? tool ?? toolUseId;
      return error === undefined
        ? `Undone: ${call}${text === undefined ? '' : `: ${text}`}`
        : `Not undone: ${call}: ${error.message}`;
    })
    .join('\n');
}

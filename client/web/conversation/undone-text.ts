import type { Undone } from '../api/runs';

/** What an undo did, in words. */
export function undoneText(undone: readonly Undone[]): string {
  return undone.map(({ tool, text, error }) => `${outcomeOf(error)}: ${tool}: ${text}`).join('\n');
}

function outcomeOf(error: Undone['error']): string {
  if (error === undefined) return 'Undone';
  return error.type === 'OutcomeUnknown' ? 'Perhaps undone' : 'Not undone';
}

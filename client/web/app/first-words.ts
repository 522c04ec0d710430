import type { ChatMessage } from '../conversation/chat-message';

const KEY = 'holdfast-words';
const MANY = 300;

/** Lists of runs have no messages: the page remembers how those begin that it has shown. */
export function firstWords(id: string): string | undefined {
  return stored()[id];
}

export function rememberWords(id: string, messages: readonly ChatMessage[]): void {
  const first = messages.find(({ role }) => role === 'user')?.parts.find((part) => part.type === 'text');
  if (first?.type !== 'text') return;
  const words = first.text.replace(/\s+/g, ' ').trim().slice(0, 80);
  const { [id]: known, ...others } = stored();
  if (words === '' || known === words) return;
  const kept = Object.entries(others).slice(0, MANY - 1);
  localStorage.setItem(KEY, JSON.stringify({ [id]: words, ...Object.fromEntries(kept) }));
}

function stored(): { [id: string]: string } {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as { [id: string]: string };
  } catch {
    return {};
  }
}

import { createStore, useStore } from '../api/store';
import type { ChatMessage } from '../conversation/message/chat-message';

interface Words {
  readonly [run: string]: string;
}

const KEY = 'holdfast-words';
const MANY = 300;
const words = createStore<Words>(stored());

/** Lists of runs have no messages: the page remembers how those begin that it has shown. */
export function useFirstWords(id: string): string | undefined {
  return useStore(words)[id];
}

export function rememberWords(id: string, messages: readonly ChatMessage[]): void {
  const first = messages.find(({ role }) => role === 'user')?.parts.find((part) => part.type === 'text');
  if (first?.type !== 'text') return;
  const beginning = first.text.replace(/\s+/g, ' ').trim().slice(0, 80);
  const { [id]: known, ...others } = words.get();
  if (beginning === '' || known === beginning) return;
  const kept = Object.entries(others).slice(0, MANY - 1);
  words.set({ [id]: beginning, ...Object.fromEntries(kept) });
  localStorage.setItem(KEY, JSON.stringify(words.get()));
}

function stored(): Words {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Words;
  } catch {
    return {};
  }
}

import { connection } from '../api/connection';
import { whoAmI } from '../api/runs';
import { createStore, useStore } from '../api/store';
import { setToken } from '../api/token';
import type { Me, Scope } from '../api/types';

/** Who uses the page, as far as it is known. */
const me = createStore<Me | undefined>(undefined);

export async function findMe(): Promise<Me> {
  const found = await whoAmI();
  me.set(found);
  return found;
}

export const useMe = () => useStore(me);

/** Forgets the token of this browser, and asks for another. */
export function signOut(): void {
  setToken(undefined);
  me.set(undefined);
  connection.set('unauthorized');
}

/** What a key without the scope is not for, as its user reads it. */
const WORDS: { readonly [Name in Scope]: string } = {
  start: 'start runs',
  read: 'read runs',
  message: 'send messages',
  decide: 'decide on calls and budgets',
  admin: 'delete runs',
};

/** Why the user may not do what needs these scopes; `undefined` if they may. The server decides in any case. */
export function refusalOf(known: Me | undefined, ...needed: Scope[]): string | undefined {
  if (known === undefined || known.scopes.includes('admin')) return undefined;
  const missing = needed.filter((scope) => !known.scopes.includes(scope));
  if (missing.length === 0) return undefined;
  return `Your key may not ${missing.map((scope) => WORDS[scope]).join(' or ')} (scope ${missing.join(', ')}).`;
}

export function useRefusal(...needed: Scope[]): string | undefined {
  return refusalOf(useMe(), ...needed);
}

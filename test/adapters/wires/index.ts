import type { ProviderKind } from '../provider';
import { overHttp } from '../wire-server';
import { chat } from './chat';
import { aFunction } from './function';
import { ollama } from './ollama';

/** Every protocol that the suite runs over. One line adds another. */
export const PROVIDERS: readonly ProviderKind[] = [overHttp(chat), overHttp(ollama), aFunction];

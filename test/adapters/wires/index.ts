import type { ProviderKind } from '../provider';
import { overHttp } from '../wire-server';
import { anthropic } from './anthropic';
import { chat } from './chat';
import { aFunction } from './function';
import { google } from './google';
import { ollama } from './ollama';
import { responses } from './responses';

/** Every protocol that the suite runs over. One line adds another. */
export const PROVIDERS: readonly ProviderKind[] = [
  overHttp(chat),
  overHttp(responses),
  overHttp(anthropic),
  overHttp(google),
  overHttp(ollama),
  aFunction,
];

import { type ModelSettings, settingsOf } from '../../agent/model/settings';
import type { Json, JsonObject } from '../../agent/values/json';
import { HIDDEN, hideSecretsIn } from './redact';
import { credentialsOf, looksRandom, saysSecret } from './secret-values';

/** The secrets in the settings of a model: all values of its extra headers, and keys in what is added to its requests. */
export function settingsSecrets({ extraHeaders = {}, extraBody = {}, providerOptions = {} }: ModelSettings): string[] {
  const headers = Object.values(extraHeaders).flatMap((value) => credentialsOf(value));
  const added = [extraBody, ...Object.values(providerOptions)].flatMap(keysIn);
  return [...headers, ...added.flatMap((value) => credentialsOf(value))];
}

/** The settings of a model as they may be shown: without secrets. */
export function shownSettings(given: ModelSettings): JsonObject {
  const { extraHeaders, ...rest } = settingsOf(given);
  // Settings are JSON, but their lists are typed as read-only.
  const shown = hideSecretsIn(masked(rest as JsonObject), settingsSecrets(given)) as JsonObject;
  if (extraHeaders === undefined) return shown;
  return { ...shown, extraHeaders: Object.fromEntries(Object.keys(extraHeaders).map((name) => [name, HIDDEN])) };
}

function isKey(name: string, value: Json): value is string {
  return typeof value === 'string' && (saysSecret(name) || looksRandom(value));
}

function keysIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (isKey(name, inner) ? [inner] : keysIn(inner)));
}

/** A secret under a name that says so is hidden however short it is. */
function masked(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => (isKey('', item) ? HIDDEN : masked(item)));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isKey(name, inner) ? HIDDEN : masked(inner)]),
  );
}

import { messageOf } from './error';

/** Causes of causes that are looked at: an error may be its own cause. */
const MAX_DEPTH = 5;

/**
 * What a function threw, as a text: the message of an error, and that of its innermost cause, because `fetch failed` alone
 * does not say why. Objects that are not errors, which some libraries throw, are shown by their message, or as JSON.
 */
export function thrownText(thrown: unknown): string {
  const text = textOf(thrown);
  const cause = innermost(thrown);
  if (cause === thrown) return text;
  const why = textOf(cause);
  return text.includes(why) ? text : `${text}: ${why}`;
}

/** Errors of `Promise.any`, and of a host with several addresses, have a list in place of a cause. */
function innermost(thrown: unknown): unknown {
  let inner = thrown;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = fieldOf(inner, 'cause') ?? (fieldOf(inner, 'errors') as unknown[] | undefined)?.[0];
    if (next === undefined || next === null) break;
    inner = next;
  }
  return inner;
}

/** By shape: errors may be of another realm, or of a library that makes plain objects. */
function textOf(thrown: unknown): string {
  const message = fieldOf(thrown, 'message');
  if (typeof message === 'string' && message !== '') return message;
  if (thrown instanceof Error) {
    const code = fieldOf(thrown, 'code');
    return typeof code === 'string' ? code : messageOf(thrown);
  }
  return jsonOf(thrown) ?? messageOf(thrown);
}

function jsonOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    const text = JSON.stringify(thrown);
    return text === '{}' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A getter may throw. */
function fieldOf(value: unknown, name: 'message' | 'code' | 'cause' | 'errors'): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const field = (value as Record<string, unknown>)[name];
    return name === 'errors' && !Array.isArray(field) ? undefined : field;
  } catch {
    return undefined;
  }
}

import type { Log } from 'holdfast';
import type { Screen } from './screen';

/**
 * The log of the page's server. A person at the terminal sees only problems, a line each: the audit log is for programs.
 * `undefined`: without a terminal, the server's own log, as JSON.
 */
export function pageLog(standardError: { isTTY?: boolean }, screen: Screen): Log | undefined {
  if (standardError.isTTY !== true) return undefined;
  const quiet = (fields: object, text?: string) => screen.log(lineOf(fields, text));
  const loud = (fields: object, text?: string) => screen.problem(lineOf(fields, text));
  return { debug: quiet, info: quiet, warn: loud, error: loud };
}

function lineOf(fields: object, text?: string): string {
  const told = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  // Callers have written some of it: it must not control the terminal.
  return [...(text === undefined ? [] : [text]), ...told].join(' ').replace(/[\p{Cc}\p{Cf}]/gu, '·');
}

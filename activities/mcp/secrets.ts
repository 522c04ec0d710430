import { isHttpServer, type McpHttpServer, type McpServer, type McpStdioServer } from '../../agent/define-agent';
import { ServerFailure } from './server-failure';

/** Shorter values (`1`, `on`) are no secrets, and hiding them would make texts unreadable. */
const SECRET_LENGTH = 4;

/** A value of the worker's environment that is shorter than this is a word, and no secret, where it stands in an argument. */
const ARGUMENT_LENGTH = 8;

/**
 * A text without what a server's definition keeps secret: it goes into errors, which go into history and logs. To be
 * called before a text is cut: half a secret is not found any more.
 */
export function withoutSecrets(text: string, server: McpServer): string {
  return secretsOf(server)
    .flatMap(shapesOf)
    .filter((value) => value.length >= SECRET_LENGTH)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, value) => clean.replaceAll(value, '***'), text);
}

/** Keys of certificates are printed line by line, and everything is printed as JSON. */
function shapesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => !line.startsWith('-----'));
  const own = lines.length > 1 ? [secret, ...lines.filter((line) => line.length >= ARGUMENT_LENGTH)] : [secret];
  return [...own, ...own.map((value) => JSON.stringify(value).slice(1, -1))];
}

/** The address of a server as it may be shown: keys are also passed in the query. */
export function shownUrl({ url }: McpHttpServer): string {
  const shown = new URL(url);
  const query = [...shown.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=***`).join('&');
  return `${shown.origin}${shown.pathname}${query === '' ? '' : `?${query}`}`;
}

/**
 * The headers that a definition names.
 * @throws ServerFailure when the worker's environment lacks one of its variables
 */
export function headersOf({ headers = {} }: McpHttpServer): Record<string, string> {
  const entries = Object.entries(headers).map(([name, given]) => {
    if (typeof given === 'string') return [name, given];
    const value = process.env[given.env];
    if (value !== undefined && value !== '') return [name, (given.prefix ?? '') + value];
    throw new ServerFailure(`the environment variable \`${given.env}\` is not set`, {
      advice: `set it where the worker runs, for the header \`${name}\``,
    });
  });
  return Object.fromEntries(entries);
}

function secretsOf(server: McpServer): string[] {
  if (!isHttpServer(server)) return [...Object.values(server.env ?? {}), ...secretArguments(server)];
  const headers = Object.values(server.headers ?? {}).flatMap((given) => {
    if (typeof given !== 'string') return [process.env[given.env] ?? ''];
    // Of `Bearer abc` servers repeat the second word alone.
    return [given, given.split(/\s+/).at(-1) ?? ''];
  });
  const query = new URL(server.url).search.slice(1).split('&');
  const raw = query.map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [...headers, ...raw, ...new URL(server.url).searchParams.values()];
}

/**
 * What of the worker's environment stands in the arguments, brought there by `${NAME}`. Paths and addresses are no
 * secrets, and without them nobody would know the command again.
 */
function secretArguments({ args = [] }: McpStdioServer): string[] {
  const values = Object.values(process.env).filter((value) => value !== undefined && value.length >= ARGUMENT_LENGTH);
  return (values as string[]).filter((value) => !/^[./~]|:\/\//.test(value) && args.some((arg) => arg.includes(value)));
}

import type { EnvReference } from '../../agent/define/mcp-server';

type Values = { readonly [name: string]: string | undefined };
type Headers = { readonly [name: string]: string | EnvReference };

/** Words of a name that says what it holds is secret. */
const SAYS =
  /^(key|pass|passwd|password|passphrase|pwd|pin|secret|token|auth|authorization|credentials?|cookie|bearer|pat|jwt|signature|salt)$/;
const SAYS_SOMEWHERE = /api_?key|access_?key|private_?key|secret|passw|passphrase|credential|authorization|token$/;
/** What such a name may end in, and means no secret then: `KEY_FILE`, `AUTH_MODE`. */
const ABOUT =
  /^(file|path|dir|folder|url|uri|host|port|name|mode|type|method|header|prefix|algorithm|alg|ttl|timeout|expiry|expires|limit|size|length|count|enabled|sock|env|region|provider|issuer|audience|format|version)$/;

/** What looks like a key and is none. */
const IDENTIFIES = /(sha\d*|hash|digest|commit|revision|checksum|uuid|guid|fingerprint|traceparent)$/i;

/** Whether a name says that its value is secret, however short that is. */
export function saysSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  if (ABOUT.test(words.at(-1) ?? '')) return false;
  return words.some((word) => SAYS.test(word)) || SAYS_SOMEWHERE.test(words.join('_'));
}

/** Keys whose providers give them a beginning of their own. */
const VENDOR =
  /^(sk|pk|rk)[-_]\w|^gh[opsur]_|^github_pat_|^glpat-|^xox[a-z]-|^xapp-|^AKIA|^ASIA|^AIza|^ya29\.|^eyJ[\w-]+\.|^whsec_|^npm_\w{20}|^hf_|^SG\.|-----BEGIN /;
/** Characters from which on a value may be a key though nothing says so. */
const LONG = 20;

/** Whether a value looks like a key by itself: long, and no words, path, address, number or list of such. */
export function looksRandom(value: string): boolean {
  if (VENDOR.test(value)) return true;
  if (value.length < LONG || !/^[\w+/=.~-]+$/.test(value) || /^[./~]/.test(value)) return false;
  const letters = value.replace(/[^A-Za-z]/g, '');
  // Dates and numbers.
  if (letters.length < 3) return false;
  // Words change from letters to digits, and from small to big letters, seldom but at a separator.
  const changes = value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0;
  if (changes > value.length / 5) return true;
  return /[bcdfghjklmnpqrstvwxz]{7}/i.test(value) && !/[-_./]/.test(value);
}

/** Addresses carry credentials before their host and in their query. */
export function urlSecrets(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, search, searchParams } = new URL(url);
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  const query = [...raw, ...searchParams].flatMap(([name, value]) =>
    saysSecret(name) || !isPlain(value) ? [value] : [],
  );
  // A token may be the whole of them.
  const user = password === '' ? [username] : [password];
  return [...user, ...user.map(decoded), ...query].filter((value) => value !== '');
}

/** Of `Bearer abc` servers repeat the second word alone. */
const SCHEME = /^([A-Za-z][\w-]*) +(\S.*)$/;

/** What of headers nobody may read. */
export function headerSecrets(headers: Headers = {}, env: Values = process.env): string[] {
  return Object.entries(headers).flatMap(([name, given]) => {
    if (typeof given !== 'string') return credentialsOf(given, env);
    return saysSecret(name) || !isPlain(given) ? credentials(given) : [];
  });
}

/** What a definition names as secret, as servers may repeat it. */
export function credentialsOf(given: string | EnvReference, env: Values = process.env): string[] {
  return credentials(typeof given === 'string' ? given : (env[given.env] ?? ''));
}

function credentials(value: string): string[] {
  const [, scheme = '', rest = ''] = SCHEME.exec(value) ?? [];
  if (rest === '') return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, rest, value.split(/\s+/).at(-1) ?? ''];
  const pair = Buffer.from(rest, 'base64').toString();
  return [value, rest, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** The secrets among the variables of an environment: those whose names say so, and those that look like keys. */
export function environmentSecrets(env: Values): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : namedSecrets(name, value)));
}

function namedSecrets(name: string, value: string): string[] {
  // A file that holds a key is not the key.
  if (saysSecret(name) && !/^[./~]/.test(value)) return credentials(value);
  if (looksRandom(value) && !IDENTIFIES.test(name)) return [value];
  return value.includes('://') ? value.split(/[\s,]+/).flatMap(urlSecrets) : [];
}

/** The secrets among the arguments of a command: `--token abc`, `TOKEN=abc`, `Authorization: Bearer abc`, keys and addresses. */
export function argumentSecrets(args: readonly string[], env: Values = process.env): string[] {
  const own = args.flatMap((arg, i) => {
    const [, name = '', value = ''] = /^-{0,2}([\w.-]+)\s*[=:]\s*(?!\/\/)(.*)$/s.exec(arg) ?? [];
    const before = args[i - 1] ?? '';
    return [
      ...(name === '' ? namedSecrets('', arg) : namedSecrets(name, value)),
      ...(/^--?[A-Za-z]/.test(before) && !before.includes('=') && !arg.startsWith('-')
        ? namedSecrets(before, arg)
        : []),
    ];
  });
  // What `${NAME}` of temporal.yaml brought there from the environment.
  const brought = environmentSecrets(env).filter((secret) => args.some((arg) => arg.includes(secret)));
  return [...own, ...brought];
}

/** A value of a header, or a query, that is no secret: a word, a number, a date, a version, a type of media, a language, a page. */
function isPlain(value: string): boolean {
  if (URL.canParse(value) && /^https?:/.test(value)) return urlSecrets(value).length === 0;
  return /^([a-z]{1,12}|[\d.:-]{1,10}|v?\d+(\.\d+){1,3}|[a-z]+\/[a-z+.*-]+(;.*)?|[a-z]{2}(-[A-Z]{2})?|utf-8)$/i.test(
    value,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

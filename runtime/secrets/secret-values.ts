import type { EnvReference } from '../../agent/define/mcp-server';

type Values = { readonly [name: string]: string | undefined };
type Headers = { readonly [name: string]: string | EnvReference };

/** Words in a name which say that its value is secret. */
const SAYS =
  /^(key|pass|passwd|password|passphrase|pwd|pin|secret|token|auth|authorization|credentials?|cookie|bearer|pat|jwt|signature|salt)$/;
const SAYS_SOMEWHERE = /api_?key|access_?key|private_?key|secret|passw|passphrase|credential|authorization|token$/;
/** Endings of such a name with which it is not secret: `KEY_FILE`, `AUTH_MODE`. */
const ABOUT =
  /^(file|path|dir|folder|url|uri|host|port|name|mode|type|method|header|prefix|algorithm|alg|ttl|timeout|expiry|expires|limit|size|length|count|enabled|sock|env|region|provider|issuer|audience|format|version)$/;

/** Names of values that look like a key and are none. */
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

/** Keys with a prefix of their provider. */
const VENDOR =
  /^(sk|pk|rk)[-_]\w|^gh[opsur]_|^github_pat_|^glpat-|^xox[a-z]-|^xapp-|^AKIA|^ASIA|^AIza|^ya29\.|^eyJ[\w-]+\.|^whsec_|^npm_\w{20}|^hf_|^SG\.|-----BEGIN /;
/** A value of at least this many characters may be a key, even without a name that says so. */
const LONG = 20;

/** Whether a value by itself looks like a key: long, and not words, a path, an address, a number or a list of those. */
export function looksRandom(value: string): boolean {
  if (VENDOR.test(value)) return true;
  if (value.length < LONG || !/^[\w+/=.~-]+$/.test(value) || /^[./~]/.test(value)) return false;
  const letters = value.replace(/[^A-Za-z]/g, '');
  // Dates and numbers.
  if (letters.length < 3) return false;
  // Words rarely change from letters to digits, or from lower to upper case, except at a separator.
  const changes = value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0;
  if (changes > value.length / 5) return true;
  return /[bcdfghjklmnpqrstvwxz]{7}/i.test(value) && !/[-_./]/.test(value);
}

/** Addresses contain credentials before their host and in their query. */
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
  // A user name without a password may be a token.
  const user = password === '' ? [username] : [password];
  return [...user, ...user.map(decoded), ...query].filter((value) => value !== '');
}

/** Servers may repeat only the second word of `Bearer abc`. */
const SCHEME = /^([A-Za-z][\w-]*) +(\S.*)$/;

/** The secrets in headers. */
export function headerSecrets(headers: Headers = {}, env: Values = process.env): string[] {
  return Object.entries(headers).flatMap(([name, given]) => {
    if (typeof given !== 'string') return credentialsOf(given, env);
    return saysSecret(name) || !isPlain(given) ? credentials(given) : [];
  });
}

/** The forms in which servers may repeat a value that a definition marks as secret. */
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
  // The path of a key file is not the key.
  if (saysSecret(name) && !/^[./~]/.test(value)) return credentials(value);
  if (looksRandom(value) && !IDENTIFIES.test(name)) return [value];
  return value.includes('://') ? value.split(/[\s,]+/).flatMap(urlSecrets) : [];
}

/**
 * The secrets among the arguments of a command: `--token abc`, `TOKEN=abc`, `Authorization: Bearer abc`, keys and
 * addresses.
 */
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
  // Values that `${NAME}` in temporal.yaml inserted from the environment.
  const brought = environmentSecrets(env).filter((secret) => args.some((arg) => arg.includes(secret)));
  return [...own, ...brought];
}

/**
 * A value of a header or a query that is not a secret: a word, a number, a date, a version, a media type, a language, a
 * page.
 */
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

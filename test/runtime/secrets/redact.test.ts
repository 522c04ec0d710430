import fc from 'fast-check';
import { hideSecrets } from '../../../runtime/secrets/redact';
import { cpuTime } from '../../measure/cpu-time';

/** Every form in which a server may repeat a text, with words around it. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const basic = ['', 'u', 'us', 'user:', 'a longer name:'].map((user) => `${user}${secret}`);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    encodeURI(secret),
    new URLSearchParams({ key: secret }).toString(),
    url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    ...basic.flatMap((text) => [
      Buffer.from(text).toString('base64'),
      Buffer.from(text).toString('base64url'),
      Buffer.from(`${text}:and more`).toString('base64'),
      encodeURIComponent(Buffer.from(text).toString('base64')),
    ]),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
}

/** Whether more than a character or two of it can still be read, however it is written. */
function survives(text: string, secret: string): boolean {
  const decoded = [
    text,
    ...(text.match(/[\w+/-]{4,}={0,2}/g) ?? []).map((word) => Buffer.from(word, 'base64').toString('latin1')),
  ];
  return decoded.some((one) => one.includes(secret)) || formsOf(secret).some((form) => text.includes(form));
}

const printable = fc
  .string({ unit: 'grapheme-ascii', minLength: 4, maxLength: 60 })
  .filter((text) => text.trim() === text);
const secretValue = fc.oneof(
  fc.base64String({ minLength: 8, maxLength: 60 }),
  printable,
  fc
    .string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
    .filter((text) => text.trim() === text && !/\p{Cs}/u.test(text)),
);
const WORDS =
  /^(true|false|null|none|undefined|default|basic|bearer|digest|enabled|disabled|optional|required|anonymous|auto)$/i;

describe('secrets in texts', () => {
  test('no form of a secret survives, wherever it is', () => {
    fc.assert(
      fc.property(
        secretValue.filter((value) => !WORDS.test(value)),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          for (const form of formsOf(secret)) {
            const clean = hideSecrets(`${before} ${form} ${after}`, [secret]);
            expect(clean).toContain('***');
            expect(clean.includes(form)).toBe(false);
          }
          expect(survives(hideSecrets(`refused: ${formsOf(secret).join(' | ')}`, [secret]), secret)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('in base64 with a secret in the middle, no digit is left that holds part of it', () => {
    for (const before of ['', 'u', 'us', 'use', 'user']) {
      for (const after of ['', ':', ':x', ':xy']) {
        const whole = Buffer.from(`${before}S3cr3t-Value${after}`).toString('base64');
        const [left = '', right = ''] = hideSecrets(whole, ['S3cr3t-Value']).split('***');
        expect(Buffer.from(left, 'base64').toString()).toBe(before.slice(0, Buffer.from(left, 'base64').length));
        expect(left.length * 6).toBeLessThanOrEqual(before.length * 8);
        expect(right.replace(/=+$/, '').length).toBeLessThanOrEqual(Math.ceil((after.length * 8) / 6));
      }
    }
  });

  test('secrets that overlap, or that hold each other, are hidden completely', () => {
    expect(hideSecrets('x abcdefgh y', ['abcd', 'cdefgh'])).toBe('x *** y');
    expect(hideSecrets('x abababab y', ['abab'])).toBe('x *** y');
    expect(hideSecrets('x abcdefgh y', ['cdef', 'abcdefgh'])).toBe('x *** y');
  });

  test('keys that a provider prints cut short are hidden by their shape', () => {
    expect(hideSecrets('Incorrect API key provided: sk-proj-********************1234.', [])).toBe(
      'Incorrect API key provided: ***',
    );
    expect(hideSecrets('a key-value-store and a task-oriented model', [])).toBe(
      'a key-value-store and a task-oriented model',
    );
  });

  test('empty texts and common words are not secret', () => {
    expect(hideSecrets('true, none, on, abc', ['', 'true', 'none', 'on', 'abc'])).toBe('true, none, on, abc');
  });
});

/** Milliseconds. */
const MOST = 10_000;

test('a text of megabytes takes time in proportion to its length, whatever is in it', async () => {
  const secrets = Array.from({ length: 30 }, (_, i) => `S3cret/${i}+${'x'.repeat(30)}${i}`);
  for (const unit of ['lorem ipsum dolor ', 'S3cret/1+', 'x', 'sk-', 'UzNjcmV0', '\\\\\\"', '%2F']) {
    const time = (size: number) => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      return cpuTime(() => hideSecrets(text, secrets), MOST);
    };
    await time(1000);
    expect(await time(1_000_000)).toBeLessThan(MOST);
  }
});

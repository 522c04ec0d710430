import fc from 'fast-check';
import { hideSecrets } from '../../../runtime/secrets/redact';
import {
  argumentSecrets,
  environmentSecrets,
  headerSecrets,
  looksRandom,
  saysSecret,
  urlSecrets,
} from '../../../runtime/secrets/secret-values';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

describe('what is secret', () => {
  const ORDINARY = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/home/ann',
    NODE_ENV: 'production',
    DEBUG: 'true',
    PORT: '3000',
    LOG_LEVEL: 'info',
    HOST: 'localhost',
    LANG: 'en_US.UTF-8',
    CHARSET: 'utf-8',
    LOCALE: 'de-CH',
    USER: 'ann.miller',
    REGION: 'eu-central-1',
    MODEL: 'claude-sonnet-4-20250514',
    OTHER_MODEL: 'gpt-4o-mini-2024-07-18',
    URL: 'https://api.example.com/v1/messages?page=2',
    REGISTRY: 'registry.npmjs.org',
    APP: 'MyVeryLongApplicationName',
    BUCKET: 'my-company-production-backups',
    MAX_TOKENS: '4096',
    KEYBOARD: 'german',
    KEY_FILE: '/etc/ssl/private/server.pem',
    SSH_AUTH_SOCK: '/tmp/ssh-abc/agent.12',
    AUTH_MODE: 'basic-login',
    DESKTOP_SESSION: 'ubuntu',
    COMMIT_SHA: 'd670460b4b4aece5915caf5c68d12f560a9fe3e4',
    SINCE: '2026-11-22T19:02:27',
    OPTIONS: '--max-old-space-size=4096',
    DATABASE_URL: 'postgres://app@db.internal:5432/shop',
  };

  test('ordinary values of an environment stay readable', () => {
    expect(environmentSecrets(ORDINARY).filter((value) => value.length >= 4)).toEqual([]);
    const text = Object.entries(ORDINARY)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n');
    expect(hideSecrets(text, environmentSecrets(ORDINARY))).toBe(text);
  });

  test('ordinary values in a text do not change it', () => {
    const value = fc.constantFrom(...Object.values({ ...ORDINARY, COMMIT_SHA: 'main' }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('MODE', 'FOLDER', 'STAGE', 'TIMEZONE'), value)),
        fc.string(),
        (pairs, text) => {
          const all = `${text} ${pairs.map(([, given]) => given).join(' ')}`;
          expect(hideSecrets(all, environmentSecrets(Object.fromEntries(pairs)))).toBe(all);
        },
      ),
    );
  });

  test.each([
    'API_KEY',
    'apiKey',
    'GITHUB_TOKEN',
    'dbPassword',
    'SECRET',
    'AUTH',
    'X-Api-Key',
    'CARRIER_SECRET',
    'OPENAI_APIKEY',
    'PGPASSWORD',
    'AWS_ACCESS_KEY_ID',
    'GOOGLE_CREDENTIALS',
    '--token',
  ])('the name %s marks a secret, however short the value', (name) => {
    expect(saysSecret(name)).toBe(true);
    expect(hideSecrets('refused ab12', environmentSecrets({ [name]: 'ab12' }))).toBe('refused ***');
  });

  test.each([
    'MAX_TOKENS',
    'KEYBOARD',
    'KEY_FILE',
    'TOKEN_URL',
    'AUTH_MODE',
    'MONKEY',
    'AUTHOR',
    'PASSENGERS',
    'COMPASS',
  ])('the name %s does not', (name) => expect(saysSecret(name)).toBe(false));

  test('keys are recognised by their form if the name does not tell', () => {
    const digits = (alphabet: string, minLength: number) =>
      fc.array(fc.constantFrom(...alphabet), { minLength, maxLength: 64 }).map((all) => all.join(''));
    const misses = (keys: string[]) => keys.filter((key) => !looksRandom(key)).length / keys.length;
    for (const alphabet of [BASE64.slice(0, 62), '0123456789abcdef']) {
      expect(misses(fc.sample(digits(alphabet, 32), { numRuns: 2000, seed: 1 }))).toBeLessThan(0.01);
    }
    for (const key of ['sk-abc', 'ghp_abc', 'AKIAIOSFODNN7EXAMPLE', 'eyJhbGciOi.x', 'xoxb-1-2', 'whsec_ab']) {
      expect(looksRandom(key)).toBe(true);
    }
  });

  test('in headers it is the part after the scheme, and the password of a Basic one', () => {
    const basic = Buffer.from('ann:hunter2').toString('base64');
    const secrets = headerSecrets(
      {
        Authorization: 'Bearer abc-1',
        Proxy: `Basic ${basic}`,
        'X-Gateway': 'Key gate-2',
        'X-Named': { env: 'NAMED' },
      },
      { NAMED: 'from-env' },
    );
    const text = `abc-1 ${basic} hunter2 gate-2 from-env and ann`;
    expect(hideSecrets(text, secrets)).toBe('*** *** *** *** *** and ann');
    expect(headerSecrets({ Accept: 'application/json', 'X-Title': 'shop', 'api-version': '2024-02-01' })).toEqual([]);
  });

  test('in an address it is the password and the tokens of its query', () => {
    const url = 'https://ann:p%40ss1@example.com/a/b?key=ab12&page=2&q=a7Gk29sLwq0zXv81';
    expect(hideSecrets(`${url} p@ss1`, urlSecrets(url))).toBe(
      'https://ann:***@example.com/a/b?key=***&page=2&q=*** ***',
    );
    expect(environmentSecrets({ DATABASE: 'postgres://app:pw-9@db/shop' })).toContain('pw-9');
  });

  test('in a command it is what its flags name, and nothing else', () => {
    const args = [
      '/srv/server.js',
      '--token=ab12',
      '--api-key',
      'cd34',
      '-H',
      'Authorization: Bearer ef56',
      '--port',
      '3000',
      'KEY=gh78',
      'https://u:ij90@h/x',
      'plain',
    ];
    expect(hideSecrets(args.join(' '), argumentSecrets(args, {}))).toBe(
      '/srv/server.js --token=*** --api-key *** -H Authorization: *** --port 3000 KEY=*** https://u:***@h/x plain',
    );
  });
});

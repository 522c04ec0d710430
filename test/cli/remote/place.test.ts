import { addressAt, warnOfPlainHttp } from '../../../cli/remote/place';
import { said } from '../said';

const env = { HOLDFAST_URL: 'https://agents.example.com/', HOLDFAST_TOKEN: 'key' };

test('`--url` comes before HOLDFAST_URL, a token in the address before HOLDFAST_TOKEN, and `--config` means Temporal', () => {
  expect(addressAt({}, {})).toBeUndefined();
  expect(addressAt({}, { HOLDFAST_URL: '' })).toBeUndefined();
  expect(addressAt({}, env)).toEqual({
    url: 'https://agents.example.com',
    token: 'key',
    place: 'HOLDFAST_URL',
  });
  expect(addressAt({ config: 'temporal.yaml' }, env)).toBeUndefined();
  expect(addressAt({ url: 'http://localhost:4080/x/#token=t%2B1' }, env)).toEqual({
    url: 'http://localhost:4080/x',
    token: 't+1',
    place: '--url',
  });
  expect(() => addressAt({ url: '' }, env)).toThrow('--url: Expected an http or https address, got ``');
});

test.each([
  ['http://agents.example.com', true],
  ['http://10.0.0.7:4080', true],
  ['https://agents.example.com', false],
  ['http://127.0.0.1:4080', false],
  ['http://localhost:4080', false],
  ['http://[::1]:4080', false],
])('a token that goes to %s without encryption is warned of: %s', async (url, warned) => {
  const { err } = await said(async () => {
    warnOfPlainHttp({ url });
    return 0;
  });
  expect(err).toBe(warned ? `!     The token goes to ${new URL(url).host} without encryption: use https\n` : '');
});

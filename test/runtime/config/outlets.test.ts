// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of temporal.yaml are written so.
import { entry, YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();
const load = async (outlet: string, env = {}) => (await yaml.load(entry('outlets', 'shop', outlet), env)).outlets.shop;

test('a webhook gets secret and headers from the environment', async () => {
  const settings = 'url: https://a.b/events\nsecret: "${KEY}"\nheaders: {X-Key: "${KEY}", X-Version: 3}\ntimeout: 10s';
  expect(await load(settings, { KEY: 'whsec_YWJj' })).toEqual({
    url: 'https://a.b/events',
    secret: 'whsec_YWJj',
    headers: { 'X-Key': 'whsec_YWJj', 'X-Version': '3' },
    timeout: 10_000,
  });
});

test('a workflow gets a signal', async () => {
  expect(await load('workflowId: inbox')).toEqual({ workflowId: 'inbox' });
  expect(await load('workflowId: inbox\nsignal: order')).toEqual({ workflowId: 'inbox', signal: 'order' });
});

test.each([
  ['neither an address nor a workflow', 'signal: order', 'Expected the `url` of a webhook, or the `workflowId`'],
  [
    'no section',
    '- url',
    'Expected a section, got a list; write its settings as `name: value`, without `-` or brackets',
  ],
  ['a misspelt setting', 'url: https://a.b/e\nsecrt: x', '4:5 There is no `secrt` here; did you mean `secret`?'],
  ['a workflow beside the address', 'url: https://a.b/e\nworkflowId: x', '4:5 There is no `workflowId` here'],
  ['a misspelt setting of a signal', 'workflowId: x\nsignl: y', '4:5 There is no `signl` here; did you mean `signal`?'],
  ['an invalid address', 'url: a.b', '3:10 `outlets.shop.url`: Expected a URL such as `https://example.com/ev'],
  ['a password in the address', 'url: "https://u:${KEY}@a.b/e"', '3:10 `outlets.shop.url`: Expected a URL without'],
  [
    'an invalid header',
    'url: https://a.b/e\nheaders: {X Key: a}',
    '4:22 `outlets.shop.headers.X Key`: This is not a valid',
  ],
  ['an empty secret', 'url: https://a.b/e\nsecret: ""', '4:13 `outlets.shop.secret`: Expected a non-empty string'],
  ['a broken secret', 'url: https://a.b/e\nsecret: "whsec_${KEY}!"', '4:13 `outlets.shop.secret`: Expected base64'],
  ['an invalid time', 'url: https://a.b/e\ntimeout: soon', '4:14 `outlets.shop.timeout`: Expected milliseconds'],
  ['a time that is too long', 'url: https://a.b/e\ntimeout: 1m', '4:14 `outlets.shop.timeout`: Expected at most 50 s'],
])('%s is reported at its place', async (_what, settings, expected) => {
  expect(await yaml.wrong(entry('outlets', 'shop', settings), { KEY: 's3cret' })).toContain(expected);
});

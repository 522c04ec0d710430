import { YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();

it('reads a folder beside the file, and a bucket', async () => {
  expect((await yaml.load('storage: {folder: payloads}\n')).storage).toEqual({ folder: `${yaml.dir}/payloads` });
  expect((await yaml.load('storage: {folder: /data, threshold: 20000}\n')).storage).toEqual({
    folder: '/data',
    threshold: 20_000,
  });
  const source =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
    'storage: {bucket: "${BUCKET}", prefix: a/, region: eu-1, endpoint: "http://x", forcePathStyle: true}\n';
  expect((await yaml.load(source, { BUCKET: 'mine' })).storage).toEqual({
    bucket: 'mine',
    prefix: 'a/',
    region: 'eu-1',
    endpoint: 'http://x',
    forcePathStyle: true,
  });
  for (const archive of [true, false, 'read']) {
    const given = `storage: {folder: /data, archive: ${archive}}\n`;
    expect((await yaml.load(given)).storage).toEqual({ folder: '/data', archive });
  }
  expect((await yaml.load('agents: []\n')).storage).toBeUndefined();
});

it.each([
  [
    'an unknown setting',
    'storage:\n  folder: a\n  treshold: 1\n',
    '3:3 There is no `treshold` here; did you mean `threshold`?',
  ],
  ['a misspelt folder', 'storage: {foler: a}\n', '1:11 There is no `foler` here; did you mean `folder`?'],
  ['neither place', 'storage: {threshold: 20000}\n', '1:1 `storage.folder`: Expected a `folder`, or a `bucket` of S3'],
  [
    'both places',
    'storage: {bucket: b, folder: a}\n',
    '1:22 There is no `folder` here; possible are `bucket`, `prefix`, `region`, `endpoint`, `forcePathStyle`, `threshold`, `archive`',
  ],
  [
    'a negative threshold',
    'storage: {folder: a, threshold: -1}\n',
    '1:33 `storage.threshold`: Expected a whole number of at least 16384',
  ],
  [
    'a threshold that is smaller than a reference',
    'storage: {folder: a, threshold: 1}\n',
    '1:33 `storage.threshold`: Expected a whole number of at least 16384',
  ],
  [
    'an archive of an unknown kind',
    'storage: {folder: a, archive: write}\n',
    '1:31 `storage.archive`: Expected `true`, `false` or `read`, got a string',
  ],
  ['an empty folder', 'storage: {folder: ""}\n', '1:19 `storage.folder`: Expected a non-empty string'],
  [
    'an endpoint without a scheme',
    'storage: {bucket: b, endpoint: localhost}\n',
    '1:32 `storage.endpoint`: Expected a URL that begins with `http://` or `https://`, such as `https://api.openai.com/v1`',
  ],
  [
    'a text',
    'storage: /data\n',
    '1:10 `storage`: Expected a section, got a string; write its settings as `name: value`',
  ],
])('names line, column and problem of %s', async (_, source, problem) => {
  expect(await yaml.wrong(source)).toBe(problem);
});

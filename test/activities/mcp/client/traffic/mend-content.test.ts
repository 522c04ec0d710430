import { overHttp, overStdio } from './raw-call';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on…', 'latin1').toString('base64');
const JPEG = Buffer.from('\xff\xd8\xff\xe0 and so on', 'latin1').toString('base64');
const GIF = Buffer.from('GIF89a and so on').toString('base64');
const WEBP = Buffer.from('RIFF1234WEBPVP8 and so on').toString('base64');
const URL_FORM = Buffer.from('\xfb\xff\xfe?', 'latin1');

const text = (value: string) => ({ type: 'text', text: value });
const media = (mediaType: string, data: string, more = {}) => ({ type: 'media', mediaType, data, ...more });

/** What the model gets of results that are invalid and yet clear. */
const rows: [what: string, result: unknown, parts: object[]][] = [
  ['content that is a text', { content: 'done' }, [text('done')]],
  ['content that is one block', { content: text('done') }, [text('done')]],
  ['content that is a number', { content: 7 }, [text('7')]],
  [
    'texts and numbers among the content',
    { content: ['a', 2, null, true, text('b')] },
    ['a', '2', 'true', 'b'].map(text),
  ],
  ['a text that is a number', { content: [{ type: 'text', text: 3.5 }] }, [text('3.5')]],
  ['a text that is an object', { content: [{ type: 'text', text: { a: 1 } }] }, [text('{"a":1}')]],
  ['a text without a type', { content: [{ text: 'done' }] }, [text('done')]],
  ['a text without a text', { content: [{ type: 'text' }, text('done')] }, [text('{"type":"text"}'), text('done')]],
  [
    'unknown annotations',
    { content: [{ ...text('done'), annotations: { audience: 'user', priority: 'high' } }] },
    [text('done')],
  ],
  ['structured content alone', { structuredContent: { a: 1 } }, [text('{"a":1}')]],
  ['structured content that is a list', { content: [], structuredContent: [1, 2] }, [text('{"result":[1,2]}')]],
  ['other fields alone', { output: 'done', code: 0 }, [text('{"output":"done","code":0}')]],
  ['a result that is a text', 'done', [text('done')]],
  ['a result that is a list', [text('a'), text('b')], [text('a'), text('b')]],
  ['a result without a field', {}, []],
  ['a png without a type', { content: [{ type: 'image', data: PNG }] }, [media('image/png', PNG)]],
  ['a jpeg without a type', { content: [{ type: 'image', data: JPEG }] }, [media('image/jpeg', JPEG)]],
  ['a gif without a type', { content: [{ type: 'image', data: GIF }] }, [media('image/gif', GIF)]],
  ['a webp without a type', { content: [{ type: 'image', data: WEBP }] }, [media('image/webp', WEBP)]],
  [
    'a jpeg that is called a png',
    { content: [{ type: 'image', data: JPEG, mimeType: 'image/png' }] },
    [media('image/jpeg', JPEG)],
  ],
  [
    'an image of an unknown type',
    { content: [{ type: 'image', data: 'aW1n' }] },
    [media('application/octet-stream', 'aW1n')],
  ],
  [
    'data with a prefix',
    { content: [{ type: 'image', data: `data:image/bmp;base64,aW1n` }] },
    [media('image/bmp', 'aW1n')],
  ],
  [
    'data with line breaks',
    { content: [{ type: 'image', data: 'aW\r\n1n\n', mimeType: 'image/bmp' }] },
    [media('image/bmp', 'aW1n')],
  ],
  [
    'data in the form for URLs, without padding',
    { content: [{ type: 'audio', data: URL_FORM.toString('base64url'), mimeType: 'audio/wav' }] },
    [media('audio/wav', URL_FORM.toString('base64'))],
  ],
  [
    'data that is not base64',
    { content: [{ type: 'image', data: '?', mimeType: 'image/png' }, text('a')] },
    [text('{"type":"image","data":"?","mimeType":"image/png"}'), text('a')],
  ],
  [
    'a resource with neither text nor bytes',
    { content: [{ type: 'resource', resource: { uri: 'file:///a' } }] },
    [text('file:///a (file:///a)')],
  ],
  [
    'a resource with an empty text',
    { content: [{ type: 'resource', resource: { uri: 'file:///a', text: '' } }] },
    [text('')],
  ],
  [
    'a resource without an address',
    {
      content: [
        { type: 'resource', resource: { text: 'inside' } },
        { type: 'resource', resource: { blob: PNG } },
      ],
    },
    [text('inside'), media('image/png', PNG)],
  ],
  [
    'a resource whose bytes have a prefix',
    { content: [{ type: 'resource', resource: { uri: 'file:///a', blob: `data:image/png;base64,${PNG}` } }] },
    [media('image/png', PNG, { name: 'file:///a' })],
  ],
];

test.each(rows)('%s reaches the model', async (_what, result, content) => {
  expect(await overStdio(`{"jsonrpc":"2.0","id":ID,"result":${JSON.stringify(result)}}`)).toEqual({ content });
});

test('the same holds over HTTP, in JSON and as an event', async () => {
  const line = `{"jsonrpc":"2.0","id":ID,"result":${JSON.stringify({ content: { type: 'image', data: PNG } })}}`;
  const given = { content: [media('image/png', PNG)] };
  expect(await overHttp(line)).toEqual(given);
  expect(await overHttp(`data: ${line}\n\n`, { type: 'text/event-stream' })).toEqual(given);
});

test('an error that says so with a text or a number is one', async () => {
  for (const isError of ['true', 1]) {
    const result = { content: 'no such row', isError };
    const { error } = await overStdio(`{"jsonrpc":"2.0","id":ID,"result":${JSON.stringify(result)}}`);
    expect(error).toEqual({ type: 'ToolFailed', message: 'no such row' });
  }
});

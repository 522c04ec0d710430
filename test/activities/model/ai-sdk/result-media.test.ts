import { aiSdk } from 'holdfast/worker';
import type { MediaPart } from '../../../../agent/model/message';
import { followed, PNG, text, user } from '../../../adapters/exchange';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { finish, hello, object } from './object';

const PDF: MediaPart = { type: 'media', mediaType: 'application/pdf', data: 'JVBERi0=' };
const calling = [{ type: 'tool-call', toolCallId: 'a', toolName: 'look_up', input: '{"q":"x"}' }, finish];

/** Where a medium of a result is sent: in the result, or in the message that follows. */
async function placeOf(medium: MediaPart, provider: string, modelId = 'one') {
  const answer = await ask(aiSdk(object(calling, { provider, modelId })), { tools: [lookup] });
  const model = object(hello, { provider, modelId });
  await ask(aiSdk(model), {
    tools: [lookup],
    messages: [user(text('hi')), ...followed(answer, [text('found'), medium])],
    call: 2,
  });
  const [, , results, after] = model.options[0]?.prompt ?? [];
  expect(JSON.stringify([results, after])).toContain('found');
  const inside = JSON.stringify(results).includes(medium.data ?? '-');
  const beside = JSON.stringify(after ?? '').includes(medium.data ?? '-');
  expect(inside).toBe(!beside);
  return inside ? 'inside' : 'beside';
}

test.each([
  'anthropic.messages',
  'vertex.anthropic.messages',
  'google.generative-ai',
  'google.vertex.chat',
  'amazon-bedrock',
  'openai.responses',
  'azure.responses',
  'openrouter',
])('%s has images and documents in a result', async (provider) => {
  expect(await placeOf(PNG, provider)).toBe('inside');
  expect(await placeOf(PDF, provider)).toBe('inside');
});

// Their packages write them as base64 into the text of the result, or leave them out.
test.each([
  'openai.chat',
  'azure.chat',
  'mistral.chat',
  'groq.chat',
  'xai.chat',
  'deepseek.chat',
  'cohere.chat',
  'togetherai.chat',
  'ollama.responses',
  'workersai.chat',
  'google.chat',
  'acme',
])('%s has a text as a result, and the image after it', async (provider) => {
  expect(await placeOf(PNG, provider)).toBe('beside');
});

test('xAI has images in a result', async () => {
  expect(await placeOf(PNG, 'xai.responses')).toBe('inside');
});

// Its package refuses a request with an address.
test('of an image by `url` Bedrock is told that it was there', async () => {
  const provider = 'amazon-bedrock';
  const answer = await ask(aiSdk(object(calling, { provider })), { tools: [lookup] });
  const model = object(hello, { provider });
  const image: MediaPart = { type: 'media', mediaType: 'image/png', url: 'https://example.com/desk.png' };
  const messages = [user(text('hi')), ...followed(answer, [text('found'), image])];
  await ask(aiSdk(model), { tools: [lookup], messages, call: 2 });
  const sent = JSON.stringify(model.options[0]?.prompt);
  expect(sent).toContain('found\\n[image, png]');
  expect(sent).not.toContain('desk.png');
});

// Their packages refuse the request of a message with a document, or leave it out.
test.each(['xai.responses', 'groq.chat', 'cohere.chat', 'ollama.responses'])(
  'of a document %s is told that it was there',
  async (provider) => {
    const answer = await ask(aiSdk(object(calling, { provider })), { tools: [lookup] });
    const model = object(hello, { provider });
    const messages = [user(text('hi')), ...followed(answer, [text('found'), PDF])];
    await ask(aiSdk(model), { tools: [lookup], messages, call: 2 });
    expect(model.options[0]?.prompt.slice(2)).toMatchObject([
      { role: 'tool', content: [{ output: { type: 'text', value: expect.stringMatching(/^found\n\[.*pdf.*\]$/) } }] },
    ]);
  },
);

test('a gateway has images in the results of providers that take them', async () => {
  expect(await placeOf(PNG, 'gateway', 'anthropic/claude-sonnet-4.5')).toBe('inside');
  expect(await placeOf(PNG, 'gateway', 'mistral/mistral-large')).toBe('beside');
});

/** What a model of a package reads of media in a message of the user. */
async function shownTo(medium: MediaPart, about: object) {
  const model = object(hello, { provider: 'acme', ...about });
  await ask(aiSdk(model), { messages: [user(medium)] });
  return model.options[0]?.prompt.find(({ role }) => role === 'user')?.content[0];
}

const PAGE: MediaPart = { type: 'media', mediaType: 'application/pdf', url: 'https://Example.com/A.pdf' };
const PHOTO: MediaPart = { type: 'media', mediaType: 'image/png', url: 'https://example.com/a.png' };
const https = [/^https:\/\/example\.com\//];

test.each<[string, MediaPart, object]>([
  ['a document of any type', PAGE, { supportedUrls: { '*': https } }],
  ['a document of its type', PAGE, { supportedUrls: { 'application/pdf': https } }],
  ['a document, as the package says later', PAGE, { supportedUrls: Promise.resolve({ '*/*': https }) }],
  ['an image', PHOTO, { supportedUrls: { 'image/*': https } }],
  ['an image of a package that says nothing', PHOTO, {}],
  [
    'an image for Google, if the model opens addresses',
    PHOTO,
    { provider: 'google.vertex.chat', supportedUrls: { '*': https } },
  ],
])('%s is sent by its address', async (_what, medium, about) => {
  expect(await shownTo(medium, about)).toMatchObject({ type: 'file', data: new URL(medium.url ?? '') });
});

// The package would throw, or the provider refuse the request.
test.each<[string, MediaPart, object]>([
  ['a document of a package that says nothing', PAGE, {}],
  ['a document of a package that opens images', PAGE, { supportedUrls: { 'image/*': https } }],
  ['a document at another address', { ...PAGE, url: 'gs://a/b.pdf' }, { supportedUrls: { '*': https } }],
  ['an image for Bedrock', PHOTO, { provider: 'amazon-bedrock', supportedUrls: {} }],
  [
    'an image for an older model of Google',
    PHOTO,
    { provider: 'google.generative-ai', supportedUrls: { '*': [/youtu/] } },
  ],
])('of %s the model reads the address', async (_what, medium, about) => {
  expect(await shownTo(medium, about)).toEqual({
    type: 'text',
    text: expect.stringContaining(`not shown here: ${medium.url}`),
  });
});

test('of a drawing the model reads that it was there', async () => {
  const drawing: MediaPart = { type: 'media', mediaType: 'image/svg+xml', data: 'PHN2Zy8+' };
  expect(await shownTo(drawing, {})).toEqual({ type: 'text', text: '[image, svg]' });
});

// Gemini takes HEIC and no GIF, the others GIF and no HEIC.
test.each<[mediaType: string, provider: string, seen: boolean]>([
  ['image/bmp', 'anthropic.messages', false],
  ['image/tiff', 'openai.responses', false],
  ['image/avif', 'google.generative-ai', false],
  ['image/heic', 'anthropic.messages', false],
  ['image/heic', 'google.generative-ai', true],
  ['image/gif', 'google.vertex.chat', false],
  ['image/gif', 'anthropic.messages', true],
  ['image/webp', 'openai.chat', true],
  ['image/*', 'openai.chat', true],
])('an image of type %s for %s', async (mediaType, provider, seen) => {
  const picture: MediaPart = { type: 'media', mediaType, data: 'AAAA' };
  const format = mediaType.split('/')[1];
  expect(await shownTo(picture, { provider })).toMatchObject(
    seen ? { type: 'file', mediaType } : { type: 'text', text: `[image, ${format}]` },
  );
});

test('a type that no provider knows by this name gets the name that all know', async () => {
  const picture: MediaPart = { type: 'media', mediaType: 'image/jpg', data: 'AAAA' };
  expect(await shownTo(picture, { provider: 'anthropic.messages' })).toMatchObject({
    type: 'file',
    mediaType: 'image/jpeg',
  });
});

test('an image of a tool that the provider refuses is named in the result', async () => {
  const bmp: MediaPart = { type: 'media', mediaType: 'image/bmp', data: 'Qk0=' };
  const about = { provider: 'anthropic.messages' };
  const answer = await ask(aiSdk(object(calling, about)), { tools: [lookup] });
  const model = object(hello, about);
  await ask(aiSdk(model), { tools: [lookup], messages: [user(text('hi')), ...followed(answer, [bmp])], call: 2 });
  expect(model.options[0]?.prompt.slice(2)).toMatchObject([
    { role: 'tool', content: [{ output: { type: 'text', value: '[image, bmp]' } }] },
  ]);
});

// Its package would fetch it itself, from wherever a tool says.
test('media by `url` in a result follow it for Google', async () => {
  const about = { provider: 'google.generative-ai', supportedUrls: { 'image/*': https } };
  const answer = await ask(aiSdk(object(calling, about)), { tools: [lookup] });
  const model = object(hello, about);
  await ask(aiSdk(model), { tools: [lookup], messages: [user(text('hi')), ...followed(answer, [PHOTO])], call: 2 });
  expect(model.options[0]?.prompt.slice(2)).toMatchObject([
    { role: 'tool', content: [{ output: { type: 'text' } }] },
    { role: 'user', content: [{ type: 'text' }, { type: 'file', data: new URL(PHOTO.url ?? '') }] },
  ]);
});

import { aiSdk } from 'holdfast/worker';
import { chatRequest } from '../../../../activities/model/adapters/chat/chat-request';
import { responsesRequest } from '../../../../activities/model/adapters/responses/responses-request';
import { stillImages } from '../../../../activities/model/request/still-images';
import type { ModelMessage, ModelRequest } from '../../../../agent/model/adapter';
import { user } from '../../../adapters/exchange';
import { hello, object } from '../ai-sdk/object';
import { ask } from '../asking';

const SCREEN = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
const PAUSE = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
const LOOP = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0];
const FRAME = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
const END = 0x3b;

const gif = (...blocks: number[][]) =>
  Buffer.from([...Buffer.from('GIF89a'), ...SCREEN, ...blocks.flat()]).toString('base64');
const animated = gif(LOOP, PAUSE, FRAME, PAUSE, FRAME, [END]);
const first = gif(LOOP, PAUSE, FRAME, [END]);
const shown = (data: string, mediaType = 'image/gif'): ModelMessage => ({
  role: 'user',
  content: [{ type: 'media', mediaType, data }],
});
const request = (message: ModelMessage): ModelRequest => ({
  ...{ model: 'm', messages: [message], tools: [], settings: {}, headers: {} },
});

test('of an animated GIF its first image is sent', () => {
  expect(stillImages([shown(animated)])).toEqual([shown(first)]);
});

test.each([
  ['one image', first],
  ['one image whose end is lost', gif(FRAME)],
  ['a cut GIF', animated.slice(0, 40)],
  ['no GIF', Buffer.from('hello').toString('base64')],
])('%s is sent as it is', (_, data) => {
  const message = shown(data);
  expect(stillImages([message])[0]).toBe(message);
});

test.each([
  ['openai.responses', first],
  ['acme.chat', animated],
])('a model of the AI SDK at `%s` gets what its provider takes', async (provider, data) => {
  const model = object(hello, { provider });
  await ask(aiSdk(model), { messages: [user({ type: 'media', mediaType: 'image/gif', data: animated })] });
  expect(JSON.stringify(model.options[0]?.prompt)).toContain(data);
});

test('requests to OpenAI have still images, and those to other servers what there is', () => {
  const said = (body: object) => JSON.stringify(body);
  expect(said(chatRequest(request(shown(animated)), 'https://api.openai.com/v1'))).toContain(first);
  expect(said(chatRequest(request(shown(animated)), 'http://127.0.0.1:8000/v1'))).toContain(animated);
  expect(said(responsesRequest(request(shown(animated))))).toContain(first);
});

import { chatRequest } from '../../../../activities/model/adapters/chat/chat-request';
import type { Message } from '../../../../agent/model/message';
import { messagesOf, PNG, result, said, text, use, user } from './sent';

describe('media', () => {
  test.each([
    [PNG, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    [
      { type: 'media', mediaType: 'image/jpeg', url: 'https://x/y.jpg' },
      { type: 'image_url', image_url: { url: 'https://x/y.jpg' } },
    ],
    [
      { type: 'media', mediaType: 'audio/wav', data: 'BB' },
      { type: 'input_audio', input_audio: { data: 'BB', format: 'wav' } },
    ],
    [
      { type: 'media', mediaType: 'audio/mpeg', data: 'BB' },
      { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } },
    ],
    [
      { type: 'media', mediaType: 'application/pdf', data: 'CC', name: 'a.pdf' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC' } },
    ],
  ] as const)('%j', (part, expected) => {
    expect(messagesOf([user(text('see'), part)])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'see' }, expected] },
    ]);
  });

  // `file_data` and `input_audio` are the content itself: OpenAI refuses an address there, and a drawing as an image.
  test.each([
    [
      { type: 'media', mediaType: 'audio/wav', url: 'https://x/y.wav' },
      '[audio, wav, not shown here: https://x/y.wav]',
    ],
    [
      { type: 'media', mediaType: 'application/pdf', url: 'https://x/y.pdf', name: 'y.pdf' },
      '[application, pdf, "y.pdf", not shown here: https://x/y.pdf]',
    ],
    [{ type: 'media', mediaType: 'image/svg+xml', data: 'AA', name: 'a.svg' }, '[image, svg, "a.svg"]'],
    [{ type: 'media', mediaType: 'image/svg+xml', url: 'https://x/y.svg' }, '[image, svg]'],
    [{ type: 'media', mediaType: 'image/bmp', data: 'Qk0=', name: 'a.bmp' }, '[image, bmp, "a.bmp"]'],
    [{ type: 'media', mediaType: 'image/TIFF', data: 'SUkqAA==' }, '[image, TIFF]'],
    [{ type: 'media', mediaType: 'image/heic', data: 'AA' }, '[image, heic]'],
    [{ type: 'media', mediaType: 'image/avif', url: 'https://x/y.avif' }, '[image, avif]'],
  ] as const)('%j is a text', (part, expected) => {
    expect(messagesOf([user(text('see'), part)])).toEqual([{ role: 'user', content: `see\n${expected}` }]);
  });

  test('OpenRouter opens the addresses of documents', () => {
    const part = { type: 'media', mediaType: 'application/pdf', url: 'https://x/y.pdf' } as const;
    const messages = [{ role: 'user' as const, content: [part] }];
    const fileOf = (baseUrl: string) =>
      chatRequest({ model: 'm', messages, tools: [], settings: {}, headers: {} }, baseUrl).messages[0]?.content;
    expect(fileOf('https://openrouter.ai/api/v1')).toEqual([
      { type: 'file', file: { filename: 'file.pdf', file_data: 'https://x/y.pdf' } },
    ]);
    expect(fileOf('https://api.openai.com/v1')).toBe('[application, pdf, not shown here: https://x/y.pdf]');
  });

  test('media that an earlier call showed become a text that names type and format', () => {
    expect(messagesOf([user(text('see'), PNG)], 2)).toEqual([
      { role: 'user', content: 'see\n[image, png: shown in an earlier call, left out here]' },
    ]);
    expect(messagesOf([{ ...user({ ...PNG, name: 'a' }), seenCount: 1 }], 1)).toEqual([
      { role: 'user', content: '[image, png, "a": shown in an earlier call, left out here]' },
    ]);
  });

  test('media of results follow in one user message after all results of the batch', () => {
    const batch = [
      said(1, use('t1.1'), use('t1.2')),
      result(1, 't1.1', { type: 'text', text: 'here' }, PNG),
      result(1, 't1.2', PNG),
      { role: 'user', turn: 1, parts: [text('and?')] } satisfies Message,
    ];
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const head = { type: 'text', text: 'Media from the result of look_up:' };
    expect(messagesOf(batch, 2).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 't1.1', content: 'here\n[image, png: see the next user message]' },
      { role: 'tool', tool_call_id: 't1.2', content: '[image, png: see the next user message]' },
      { role: 'user', content: [head, image, head, image] },
      { role: 'user', content: 'and?' },
    ]);
    const later = messagesOf(batch, 3).slice(1);
    expect(later[0]).toMatchObject({ content: 'here\n[image, png: shown in an earlier call, left out here]' });
    expect(later.map((message) => message.role)).toEqual(['tool', 'tool', 'user']);
  });

  test('media of the last results come at the end, and before the next answer', () => {
    const batch = [said(1, use('t1.1')), result(1, 't1.1', PNG)];
    expect(messagesOf(batch, 2).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
    const unseen = [said(5, use('t5.1')), result(5, 't5.1', PNG), said(6, text('ok'))];
    expect(messagesOf(unseen, 6).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant']);
  });

  test('media in messages of the model are named', () => {
    expect(messagesOf([said(0, text('A picture: '), PNG)])).toEqual([
      { role: 'assistant', content: 'A picture: [image, png]' },
    ]);
  });
});

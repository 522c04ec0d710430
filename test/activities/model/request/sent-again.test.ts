import * as fc from 'fast-check';
import { bodyBytes } from '../../../../activities/model/adapters/openai/send-body';
import { modelRequest } from '../../../../activities/model/request/model-request';
import type { Message } from '../../../../agent/model/message';
import { toolSpec } from '../../../workflows/state-data';
import { build, config, lookUp, PNG, result, said, text, use, user } from './sent';

const transcript: Message[] = [
  user(text('hi'), PNG),
  said(1, { type: 'reasoning', text: 'hm' }, use('t1.1', { providerId: 'a' }), use('t1.2', { providerId: 'a' })),
  result(1, 't1.1', { type: 'text', text: 'one' }, PNG),
  result(1, 't1.2'),
  said(2, text('ü \ud800 "quoted"')),
];

/** As it would be built by a worker that has never seen the transcript. */
const fresh = (messages: Message[], extra: Parameters<typeof build>[0] = {}) =>
  build({ messages: structuredClone(messages), ...extra });

describe('a transcript that was sent before', () => {
  test('is sent as it was, without building its messages again', () => {
    const first = modelRequest({ config, messages: transcript, tools: lookUp, call: 3 }).messages;
    const again = modelRequest({
      config,
      messages: [...transcript, user(text('more'))],
      tools: lookUp,
      call: 4,
    }).messages;
    expect(again).toHaveLength(first.length + 1);
    // Messages with media are new in each call.
    const kept = first.filter((message, i) => message === again[i]);
    expect(kept).toHaveLength(transcript.length - 2);
  });

  const renamed = [toolSpec('look.up', { modelName: 'search', description: '', inputSchema: { type: 'object' } })];
  test.each<[string, (messages: Message[]) => Message[], Parameters<typeof build>[0]]>([
    ['with its tool renamed', (messages) => messages, { tools: renamed }],
    ['to another model', (messages) => messages, { config: { ...config, model: 'other' } }],
    ['by a later call, which shows no media', (messages) => messages, { call: 9 }],
    // The first call with an id keeps it, so that the second one has another where the first is gone.
    [
      'without its first answer',
      ([first, , , fourth, fifth]) => [first, said(1, use('t1.2', { providerId: 'a' })), fourth, fifth] as Message[],
      {},
    ],
    [
      'with a call before it that has the same id',
      (messages) => [said(0, use('t0.1', { providerId: 'a' })), result(0, 't0.1'), ...messages],
      {},
    ],
  ])('is built again %s', (_, change, extra) => {
    build({ messages: transcript, tools: lookUp, call: 3 });
    const messages = change(transcript);
    expect(build({ messages, tools: lookUp, ...extra })).toEqual(fresh(messages, { tools: lookUp, ...extra }));
  });
});

describe('the bytes of a body', () => {
  const parsed = (body: object) => JSON.parse(bodyBytes(body as { list?: unknown }, 'list').toString());

  test('are its JSON, however often its items were sent before', () => {
    const items = fc.array(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())));
    const others = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(others, items, (rest, list) => {
        const body = { ...rest, list };
        const expected = JSON.parse(JSON.stringify(body));
        expect(parsed(body)).toEqual(expected);
        expect(parsed({ ...body, list: [...list] })).toEqual(expected);
      }),
    );
  });

  test('have the fields in their order', () => {
    const body = { a: 1, list: [{ b: 2 }, 3, null, [4]], c: 5 };
    expect(bodyBytes(body, 'list').toString()).toBe(JSON.stringify(body));
    expect(bodyBytes({ list: [], c: 5 }, 'list').toString()).toBe('{"list":[],"c":5}');
  });

  test.each([[{ list: 'all' }], [{ a: 1 }], [{ list: { a: 1 } }], [{ list: [] }]])(
    'are its JSON where the list was replaced: %j',
    (body) => {
      expect(parsed(body)).toEqual(body);
    },
  );
});

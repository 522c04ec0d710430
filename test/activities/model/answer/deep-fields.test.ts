import { chatParts } from '../../../../activities/model/adapters/chat/chat-parts';
import { AnswerDraft } from '../../../../activities/model/answer/draft';
import type { Json, JsonObject } from '../../../../agent/values/json';
import { hashOfArguments } from '../../../../runtime/sha256';
import { ask, configOf, delta, end, model } from '../asking';
import { lookup } from '../lookup';

const nest = (levels: number): Json => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as Json;

test.each([201, 4300, 100_000])(
  'fields of a provider with %i levels are left out, in the message and in a call',
  (levels) => {
    const draft = new AnswerDraft();
    const fn = { name: 'x', arguments: '{}' };
    draft.add(
      chatParts(
        delta({
          reasoning_details: nest(levels),
          kept: nest(200),
          tool_calls: [{ id: 'a', function: fn, extra: nest(levels), more: 1 }],
        }),
      ),
    );
    expect(draft.fields).toEqual({ kept: nest(200) });
    expect(draft.calls.list).toMatchObject([{ arguments: '{}', fields: { more: 1 } }]);
  },
);

test.each([201, 4300, 100_000])(
  'arguments that a server sends as an object of %i levels are a problem of that call alone',
  (levels) => {
    const draft = new AnswerDraft();
    draft.add(
      chatParts(
        delta({
          tool_calls: [
            { index: 0, id: 'a', function: { name: 'x', arguments: { a: nest(levels - 1) } as JsonObject } },
          ],
        }),
      ),
    );
    draft.add(
      chatParts(
        delta({
          tool_calls: [{ index: 1, id: 'b', function: { name: 'x', arguments: { a: nest(199) } as JsonObject } }],
        }),
      ),
    );
    expect(draft.calls.list.map(({ isTooDeep }) => isTooDeep)).toEqual([true, undefined]);
  },
);

test('an answer with both is finished: the call with deep arguments has a problem, the fields are gone', async () => {
  const deep = { a: nest(1000) } as JsonObject;
  const pieces = [
    { index: 0, id: 'a', function: { name: 'look_up', arguments: deep } },
    { index: 1, id: 'b', function: { name: 'look_up', arguments: { q: 'x' } } },
  ];
  const server = await model({
    raw: [delta({ reasoning_details: nest(1000), tool_calls: pieces }), end('tool_calls')],
  });
  const answer = await ask(configOf(server), { tools: [lookup] });
  expect(answer.providerData).toBeUndefined();
  expect(answer.toolRequests).toEqual([
    {
      providerId: 'a',
      name: 'look_up',
      input: {},
      hash: hashOfArguments({}),
      problem: expect.objectContaining({ type: 'InvalidJson' }),
    },
    { providerId: 'b', name: 'look_up', input: { q: 'x' }, hash: hashOfArguments({ q: 'x' }) },
  ]);
});

import { responsesRequest } from '../../../../activities/model/adapters/responses/responses-request';
import { modelRequest } from '../../../../activities/model/request/model-request';
import type { ModelAnswer } from '../../../../agent/model/answer';
import type { ServerModel } from '../../../../agent/model/config';
import type { Part } from '../../../../agent/model/message';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { answered } from './answered';
import { call, done, event, message, said, streamed } from './response-items';
import { modelAt, responseServer } from './response-server';

/** An answer as the next request has it. */
function echoed({ parts, toolRequests, providerData }: ModelAnswer, config: ServerModel) {
  const uses = toolRequests.map(({ providerId = '', input }, i): Part => {
    return { type: 'tool_use', toolUseId: `t1.${i + 1}`, name: 'look.up', input, providerId };
  });
  const message = {
    role: 'assistant' as const,
    turn: 1,
    parts: [...parts, ...uses],
    ...(providerData && { providerData }),
  };
  return responsesRequest(modelRequest({ config, messages: [message], tools: [lookup], call: 2 })).input;
}

describe('an answer of OpenAI Responses', () => {
  it('is read while it streams: reasoning, text, calls, usage', async () => {
    const { answer, deltas } = await answered(streamed);
    expect(answer).toMatchObject({
      type: 'tool_call',
      parts: [
        { type: 'reasoning', text: 'First this\n\nthen that' },
        { type: 'text', text: 'I look.' },
      ],
      toolRequests: [
        { providerId: 'call_1', name: 'look_up', input: { q: 'x' } },
        { providerId: 'call_2', name: 'look_up', input: { q: 'y' } },
      ],
      finishReason: 'tool_calls',
      usage: { prompt: 10, completion: 6, cached: 4, reasoning: 3 },
      model: 'm-2026',
    });
    const text = (type: DeltaBody['type']) =>
      deltas.flatMap((delta) => (delta.type === type && 'text' in delta ? [delta.text] : []));
    expect(text('stream.reasoning')).toEqual(['First ', 'this', '\n\nthen that']);
    expect(text('stream.text')).toEqual(['I ', 'look.']);
  });

  it('goes back whole to the same model: reasoning, messages with their phase, calls with their ids', async () => {
    const { answer, config } = await answered(streamed);
    expect(echoed(answer, config)).toEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'gAAA',
        summary: [
          { type: 'summary_text', text: 'First this' },
          { type: 'summary_text', text: 'then that' },
        ],
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'I look.' }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look_up', arguments: '{"q":"x"}' },
      { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'look_up', arguments: '{"q":"y"}' },
    ]);
  });

  it.each<[string, Partial<ServerModel>]>([
    ['another model', { model: 'n' }],
    ['the other API', { api: 'chat' }],
  ])('%s gets only text and calls of it', async (_, other) => {
    const { answer, config } = await answered(streamed);
    expect(echoed(answer, { ...config, ...other })).toEqual([
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{"q":"x"}' },
      { type: 'function_call', call_id: 'call_2', name: 'look_up', arguments: '{"q":"y"}' },
    ]);
  });

  it('may have several messages, which stay apart when they go back', async () => {
    const both = [message(said('One. ')), { ...message(said('Two.')), id: 'msg_2', phase: 'final_answer' }];
    const { answer, config } = await answered({
      events: [...both.map((item, i) => event('output_item.done', { output_index: i, item })), done()],
    });
    expect(answer.parts).toEqual([{ type: 'text', text: 'One. Two.' }]);
    expect(echoed(answer, config)).toMatchObject([
      { id: 'msg_1', content: [{ text: 'One. ' }] },
      { id: 'msg_2', phase: 'final_answer', content: [{ text: 'Two.' }] },
    ]);
    // A text that is no longer what the model said has no messages of its own.
    const changed = { ...answer, parts: [{ type: 'text' as const, text: 'Once' }] };
    expect(echoed(changed, config)).toEqual([{ role: 'assistant', content: 'Once' }]);
  });

  it('reasoning without encrypted content is shown and does not go back: the server would not know its id', async () => {
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      encrypted_content: null,
      summary: [{ type: 'summary_text', text: 'hm' }],
    };
    const { answer, config } = await answered({
      events: [
        event('output_item.done', { output_index: 0, item }),
        event('output_item.done', { output_index: 1, item: call() }),
        done(),
      ],
    });
    expect(answer.parts).toEqual([{ type: 'reasoning', text: 'hm' }]);
    expect(echoed(answer, config)).toMatchObject([{ type: 'function_call', call_id: 'call_1' }]);
  });

  it('reasoning that is only encrypted goes back, with the item that follows from it', async () => {
    const item = { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA', summary: [] };
    const events = [event('output_item.done', { output_index: 0, item })];
    const { answer, config } = await answered({
      events: [...events, event('output_item.done', { output_index: 1, item: call() }), done()],
    });
    expect(answer.parts).toMatchObject([{ type: 'reasoning', text: '' }]);
    expect(echoed(answer, config)).toMatchObject([item, { type: 'function_call' }]);
    const cut = await answered({
      events: [...events, done({ incomplete_details: { reason: 'max_output_tokens' } }, 'incomplete')],
    });
    expect(cut.answer.finishReason).toBe('length');
    expect(echoed(cut.answer, cut.config)).toEqual([]);
  });

  it('each call goes back right behind the reasoning that led to it, and to another model without', async () => {
    const thought = (id: string) => ({ type: 'reasoning', id, encrypted_content: `secret ${id}`, summary: [] });
    const items = [
      ...[thought('rs_1'), message(said('I look.')), call(), call({ id: 'fc_2', call_id: 'call_2' })],
      ...[thought('rs_2'), call({ id: 'fc_3', call_id: 'call_3' })],
    ];
    const inPieces = items.map((item, i) => event('output_item.done', { output_index: i, item }));
    for (const events of [[...inPieces, done()], [done({ output: items })]]) {
      const { answer, config } = await answered({ events });
      expect(echoed(answer, config)).toMatchObject([
        { id: 'rs_1' },
        { id: 'msg_1' },
        { id: 'fc_1' },
        { id: 'fc_2' },
        { id: 'rs_2' },
        { id: 'fc_3' },
      ]);
      expect(echoed(answer, { ...config, model: 'n' })).toMatchObject([
        { role: 'assistant', content: 'I look.' },
        { call_id: 'call_1' },
        { call_id: 'call_2' },
        { call_id: 'call_3' },
      ]);
      // The API refuses reasoning without what followed from it, such as calls of low priority that the run has dropped.
      const { parts, toolRequests } = answer;
      const fewer = {
        ...answer,
        parts: parts.filter(({ type }) => type !== 'text'),
        toolRequests: toolRequests.slice(2),
      };
      expect(echoed(fewer, config)).toMatchObject([{ id: 'rs_2' }, { id: 'fc_3' }]);
    }
  });

  it('open reasoning is shown once, and goes back', async () => {
    const content = [{ type: 'reasoning_text', text: 'hm' }];
    const item = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'short' }], content };
    const { answer, config } = await answered({
      events: [
        event('reasoning_text.delta', { output_index: 0, content_index: 0, delta: 'hm' }),
        event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'short' }),
        event('output_item.done', { output_index: 0, item }),
        event('output_item.done', { output_index: 1, item: message(said('yes')) }),
        done(),
      ],
    });
    expect(answer.parts).toMatchObject([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'yes' },
    ]);
    expect(echoed(answer, config)).toMatchObject([item, { id: 'msg_1' }]);
  });

  it('the request arrives with the key, and with the headers of the model', async () => {
    const server = await responseServer({ reply: { text: 'x' } });
    await ask(modelAt(server, { headers: { 'x-team': 'blue' }, extraHeaders: { 'x-more': '1' } }));
    expect(server.requests).toMatchObject([
      {
        path: '/v1/responses',
        headers: { authorization: 'Bearer test-key-1234567890', 'x-team': 'blue', 'x-more': '1' },
      },
    ]);
  });
});

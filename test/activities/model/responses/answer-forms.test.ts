import { ask, failureOf } from '../asking';
import { lookup } from '../lookup';
import { answered } from './answered';
import { call, done, event, message, said } from './response-items';
import { modelAt, type ResponseStep, responseServer } from './response-server';

describe('an answer of OpenAI Responses', () => {
  it.each<[string, ResponseStep]>([
    [
      'that is not streamed',
      {
        body: {
          object: 'response',
          status: 'completed',
          output: [message(said('Hi')), call()],
          usage: { input_tokens: 2, output_tokens: 1 },
        },
      },
    ],
    [
      'that comes only with the end',
      { events: [done({ output: [message(said('Hi')), call()], usage: { input_tokens: 2, output_tokens: 1 } })] },
    ],
    [
      'whose items come whole, without places',
      {
        events: [
          event('output_item.done', { item: message(said('Hi')) }),
          event('output_item.done', { item: call({ arguments: { q: 'x' } }) }),
          done({ usage: { input_tokens: 2, output_tokens: 1 } }),
        ],
      },
    ],
    [
      'whose arguments come whole',
      {
        events: [
          event('output_text.delta', { item_id: 'msg_1', delta: 'Hi' }),
          event('output_item.added', { item: call({ arguments: '' }) }),
          event('output_item.done', { item: call() }),
          done({ usage: { input_tokens: 2, output_tokens: 1 } }),
        ],
      },
    ],
  ])('%s', async (_, step) => {
    expect((await answered(step)).answer).toMatchObject({
      parts: [{ type: 'text', text: 'Hi' }],
      toolRequests: [{ providerId: 'call_1', name: 'look_up', input: { q: 'x' } }],
      usage: { prompt: 2, completion: 1 },
    });
  });

  it('may repeat the tools of the request, however many there are', async () => {
    const properties = Object.fromEntries(Array.from({ length: 12_000 }, (_, i) => [`p${i}`, { type: 'string' }]));
    const tools = [{ ...lookup, inputSchema: { type: 'object', properties } }];
    const repeated = { tools: [{ type: 'function', name: 'look_up', parameters: tools[0]?.inputSchema ?? {} }] };
    const events = [event('output_item.done', { item: message(said('Hi')) }), done(repeated)];
    const server = await responseServer({ events }, { events });
    expect(await ask(modelAt(server), { tools })).toMatchObject({ parts: [{ text: 'Hi' }] });
    // What it did not get from us, it may not send.
    expect(await failureOf(ask(modelAt(server)))).toMatchObject({ type: 'ModelAnswerUnreadable' });
  });
});

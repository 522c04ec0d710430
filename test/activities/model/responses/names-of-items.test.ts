import type { JsonObject } from '../../../../agent/values/json';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { call, done, event, message, said } from './response-items';
import { modelAt, responseServer } from './response-server';

async function answered(...events: JsonObject[]) {
  const answer = await ask(modelAt(await responseServer({ events })), { tools: [lookup] });
  return {
    text: answer.parts.map((part) => ('text' in part ? part.text : '')).join(''),
    calls: answer.toolRequests.map(({ name, input, problem }) => [name, input.q, problem?.type]),
  };
}

/** A call as llama-server names it: without a place, and by the id of the call alone. */
const begun = (id: string): JsonObject =>
  event('output_item.added', { item: { type: 'function_call', call_id: id, name: 'look_up', arguments: '' } });
const args = (id: string, delta: string) => event('function_call_arguments.delta', { item_id: id, delta });
const ended = (id: string, q: string): JsonObject =>
  event('output_item.done', {
    item: { type: 'function_call', call_id: id, name: 'look_up', arguments: JSON.stringify({ q }) },
  });
const startedText = event('output_item.added', { output_index: 0, item: message() });

describe('items', () => {
  it('are known by the ids of their calls', async () => {
    const events = [
      begun('a'),
      args('a', '{"q":"x"}'),
      begun('b'),
      args('b', '{"q":"y"}'),
      ended('a', 'x'),
      ended('b', 'y'),
    ];
    expect(await answered(...events, done())).toEqual({
      text: '',
      calls: [
        ['look_up', 'x', undefined],
        ['look_up', 'y', undefined],
      ],
    });
  });

  it('have a place in some events and an id in others', async () => {
    const grows = event('output_text.delta', { item_id: 'msg_1', delta: 'hello' });
    const whole = event('output_item.done', { output_index: 0, item: message(said('hello')) });
    expect(await answered(startedText, grows, whole, done())).toEqual({ text: 'hello', calls: [] });
    expect(await answered(startedText, grows, done({ output: [message(said('hello'))] }))).toEqual({
      text: 'hello',
      calls: [],
    });
  });

  it('without any name are one text', async () => {
    const grows = (delta: string) => event('output_text.delta', { delta });
    expect(await answered(grows('hel'), grows('lo'), done({ output: [message(said('hello'))] }))).toEqual({
      text: 'hello',
      calls: [],
    });
  });
});

describe('what comes only with the end', () => {
  const looking = event('output_text.delta', { output_index: 0, item_id: 'msg_1', delta: 'Looking' });

  it('is a call after a text that was streamed', async () => {
    expect(await answered(startedText, looking, done({ output: [message(said('Looking')), call()] }))).toEqual({
      text: 'Looking',
      calls: [['look_up', 'x', undefined]],
    });
  });

  it('is a second call', async () => {
    const first = event('output_item.done', { output_index: 0, item: call() });
    const second = call({ id: 'fc_2', call_id: 'call_2', arguments: '{"q":"y"}' });
    expect(await answered(first, done({ output: [call(), second] }))).toEqual({
      text: '',
      calls: [
        ['look_up', 'x', undefined],
        ['look_up', 'y', undefined],
      ],
    });
  });

  it('is a text that had only begun', async () => {
    expect(await answered(startedText, done({ output: [message(said('Looking'))] }))).toEqual({
      text: 'Looking',
      calls: [],
    });
  });

  it.each<[string, JsonObject[]]>([
    ['the end of the answer', [done({ output: [call()] })]],
    ['their own end', [event('function_call_arguments.done', { output_index: 0, arguments: '{"q":"x"}' }), done()]],
  ])('is the arguments of a call, with %s', async (_, events) => {
    const named = event('output_item.added', { output_index: 0, item: call({ arguments: '' }) });
    expect(await answered(named, ...events)).toEqual({ text: '', calls: [['look_up', 'x', undefined]] });
  });

  it('is the text of an event of its own', async () => {
    const whole = event('output_text.done', { output_index: 0, item_id: 'msg_1', text: 'Looking' });
    expect(await answered(startedText, whole, done())).toEqual({ text: 'Looking', calls: [] });
    expect(await answered(startedText, looking, whole, done())).toEqual({ text: 'Looking', calls: [] });
  });
});

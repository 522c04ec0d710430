import type { JsonObject } from '../../../../agent/values/json';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { call, done, event, message, said } from './response-items';
import { modelAt, responseServer } from './response-server';

const answered = async (...events: JsonObject[]) =>
  ask(modelAt(await responseServer({ events: [...events, done()] })), { tools: [lookup], onDelta: () => {} });

const text = (delta: string, place = 0, part = 0) =>
  event('output_text.delta', { output_index: place, content_index: part, delta });
const textDone = (whole: string, place = 0, part = 0) =>
  event('output_text.done', { output_index: place, content_index: part, text: whole });
const itemDone = (item: JsonObject, place = 0) => event('output_item.done', { output_index: place, item });
const begins = event('output_item.added', { output_index: 0, item: call({ arguments: '' }) });
const args = (delta: string) => event('function_call_arguments.delta', { output_index: 0, delta });
const argsDone = (whole: string) => event('function_call_arguments.done', { output_index: 0, arguments: whole });

describe('what is missing of a text that came in pieces', () => {
  it.each<[string, JsonObject[]]>([
    ['its whole', [text('I '), textDone('I look.')]],
    ['its whole item', [text('I '), itemDone(message(said('I look.')))]],
    ['both', [text('I '), textDone('I look.'), itemDone(message(said('I look.')))]],
    ['the whole output', [text('I '), done({ output: [message(said('I look.'))] })]],
  ])('comes with %s', async (_, events) => {
    expect((await answered(...events)).parts).toEqual([{ type: 'text', text: 'I look.' }]);
  });

  it('of each part comes with that part', async () => {
    const events = [text('On'), textDone('One. '), text('Tw', 0, 1), textDone('Two.', 0, 1)];
    const { parts } = await answered(...events, itemDone(message(said('One. '), said('Two.'))));
    expect(parts).toEqual([{ type: 'text', text: 'One. Two.' }]);
  });

  it('counts as part of the message that goes back', async () => {
    const { providerData } = await answered(text('I '), itemDone(message(said('I look.'))));
    expect(providerData).toMatchObject({ message: { messages: [{ id: 'msg_1', length: 7 }] } });
  });
});

describe('a text that came whole in pieces is not doubled', () => {
  it.each<[string, JsonObject[]]>([
    ['that is repeated', [textDone('One. Two.'), itemDone(message(said('One. Two.')))]],
    ['whose whole is written otherwise', [textDone('One.\nTwo. '), itemDone(message(said('one. two. three.')))]],
    ['whose whole is a part of it', [textDone('One. '), textDone('Two.', 0, 1)]],
    ['whose item has parts', [itemDone(message(said('One. '), said('Two.')))]],
  ])('%s', async (_, events) => {
    expect((await answered(text('One. '), text('Two.'), ...events)).parts).toEqual([
      { type: 'text', text: 'One. Two.' },
    ]);
  });

  it('and nothing is added to it after the next message', async () => {
    const output = [message(said('One. More. ')), { ...message(said('Two.')), id: 'msg_2' }];
    const { parts } = await answered(text('One. '), text('Two.', 1), done({ output }));
    expect(parts).toEqual([{ type: 'text', text: 'One. Two.' }]);
  });
});

describe('what is missing of the arguments of a call', () => {
  it.each<[string, JsonObject[]]>([
    ['their whole', [argsDone('{"q":"x"}')]],
    ['the whole call', [itemDone(call())]],
    ['the whole call, as an object', [itemDone(call({ arguments: { q: 'x' } }))]],
    ['the whole call, twice', [itemDone(call()), itemDone(call()), argsDone('{"q":"x"}')]],
    ['both', [argsDone('{"q":"x"}'), itemDone(call())]],
    ['the whole output', [done({ output: [call()] })]],
  ])('comes with %s', async (_, events) => {
    const { toolRequests } = await answered(begins, args('{"q":'), ...events);
    expect(toolRequests).toMatchObject([{ providerId: 'call_1', name: 'look_up', input: { q: 'x' } }]);
    expect(toolRequests[0]?.problem).toBeUndefined();
  });

  it('does not come where the whole is another text', async () => {
    const { toolRequests } = await answered(begins, args('{"q":"y"}'), argsDone('{"q": "y"}'), itemDone(call()));
    expect(toolRequests).toMatchObject([{ input: { q: 'y' } }]);
  });
});

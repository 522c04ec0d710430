import { aiSdk } from 'holdfast/worker';
import { followed, text, user } from '../../../adapters/exchange';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { finish, hello, object } from './object';

const item = (itemId: string) => ({ providerMetadata: { openai: { itemId } } });
const said = (id: string, ...pieces: string[]) => [
  { type: 'text-start', id, ...item(id) },
  ...pieces.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id, ...item(id) },
];
const thought = (id: string) => [
  { type: 'reasoning-start', id, ...item(id) },
  { type: 'reasoning-end', id, ...item(id) },
];
const call = { type: 'tool-call', toolCallId: 'a', toolName: 'look_up', input: '{"q":"x"}', ...item('fc') };

/** What goes back of an answer, each part with the item that it is. */
async function sentBack(...parts: unknown[]) {
  const answer = await ask(aiSdk(object([...parts, call, finish])), { tools: [lookup] });
  const model = object(hello);
  const messages = [user(text('hi')), ...followed(answer, [text('found')])];
  await ask(aiSdk(model), { tools: [lookup], messages, call: 2 });
  const sent = model.options[0]?.prompt[1]?.content;
  return (Array.isArray(sent) ? (sent as object[]) : []).map((part) => ({
    ...('text' in part ? { text: part.text } : {}),
    item: 'providerOptions' in part ? Object.values(part.providerOptions as object)[0]?.itemId : undefined,
  }));
}

// OpenAI refuses reasoning without the message that followed it.
test('each text of an answer goes back as the item that it was', async () => {
  const parts = [...thought('rs_1'), ...said('msg_1', 'Fir', 'st'), ...thought('rs_2'), ...said('msg_2', 'Second')];
  expect(await sentBack(...parts)).toEqual([
    { text: '', item: 'rs_1' },
    { text: 'First', item: 'msg_1' },
    { text: '', item: 'rs_2' },
    { text: 'Second', item: 'msg_2' },
    { item: 'fc' },
  ]);
});

test('also texts that follow each other, and are kept as one', async () => {
  expect(await sentBack(...said('msg_1', 'One '), ...said('msg_2'), ...said('msg_3', 'two'))).toEqual([
    { text: 'One ', item: 'msg_1' },
    { text: 'two', item: 'msg_3' },
    { item: 'fc' },
  ]);
});

test('a text that is not as the provider gave it is sent without', async () => {
  const parts = [...said('msg_1', '<think>hm</think>'), ...said('msg_2', 'Second')];
  expect(await sentBack(...parts)).toContainEqual({ text: 'Second', item: undefined });
});

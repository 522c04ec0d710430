import { aiSdk } from 'holdfast/worker';
import { followed, text, user } from '../../../adapters/exchange';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { finish, hello, object } from './object';

const OPENAI = 'call_Ay8Zp2qKfw3nV0tB1sLx7dRc';
const XAI = 'call_6b7cf0d5-37a1-4ad0-9d0b-0e8a5cc1e1f7';
const KIMI = 'functions.look_up:0';

/** The ids under which calls of one model go to another, and those of their results. */
async function sentIds(ids: readonly string[], provider: string, modelId = 'one') {
  const calls = ids.map((id, i) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'look_up',
    input: `{"q":"${i}"}`,
  }));
  const answer = await ask(aiSdk(object([...calls, finish])), { tools: [lookup] });
  const model = object(hello, { provider, modelId });
  const messages = [user(text('hi')), ...followed(answer, ...ids.map(() => [text('found')]))];
  await ask(aiSdk(model), { tools: [lookup], messages, call: 2 });
  const idsIn = (role: string) =>
    (model.options[0]?.prompt ?? []).flatMap((message) => {
      const parts: readonly object[] = message.role === role && message.role !== 'system' ? message.content : [];
      return parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));
    });
  expect(idsIn('tool')).toEqual(idsIn('assistant'));
  return idsIn('tool');
}

test.each([
  ['anthropic.messages', /^[a-zA-Z0-9_-]+$/],
  ['bedrock.anthropic.messages', /^[a-zA-Z0-9_-]+$/],
  ['amazon-bedrock', /^[a-zA-Z0-9_-]{1,64}$/],
  ['mistral.chat', /^[a-zA-Z0-9]{9}$/],
  ['openai.chat', /^.{1,40}$/],
  ['azure.responses', /^.{1,64}$/],
])('%s gets calls of other models under ids that it takes', async (provider, allowed) => {
  // The last two have none: they are sent under ours.
  const ids = await sentIds([OPENAI, XAI, KIMI, `${KIMI}`, 'x'.repeat(70), ''], provider);
  for (const id of ids) expect(id).toMatch(allowed);
  expect(new Set(ids).size).toBe(6);
});

test('an id that the provider takes, such as its own, stays as it is', async () => {
  expect(await sentIds(['D681PevKs'], 'mistral.chat')).toEqual(['D681PevKs']);
  expect(await sentIds([OPENAI, 'toolu_01A-b'], 'anthropic.messages')).toEqual([OPENAI, 'toolu_01A-b']);
  expect(await sentIds([KIMI, XAI], 'togetherai.chat')).toEqual([KIMI, XAI]);
});

test('a gateway gets ids that the provider behind it takes', async () => {
  expect((await sentIds([KIMI], 'openrouter', 'anthropic/claude-sonnet-4.5'))[0]).toMatch(/^[a-zA-Z0-9_-]+$/);
  expect((await sentIds([KIMI], 'gateway', 'mistral/mistral-large'))[0]).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(await sentIds([KIMI], 'openrouter', 'moonshotai/kimi-k2')).toEqual([KIMI]);
});

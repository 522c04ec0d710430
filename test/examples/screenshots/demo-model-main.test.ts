import type { ModelServer } from 'holdfast/testing';
import { serveDemoModel } from '../../../examples/screenshots/demo-model-main';
import { FOLDER, start, TOOLS } from './desk';

let server: ModelServer;
beforeAll(async () => {
  server = await serveDemoModel({ delay: 0 });
});
afterAll(() => server.close());

test('the demo model works like any OpenAI-compatible server, streaming included', async () => {
  const tools = Object.values(TOOLS).map((name) => ({ type: 'function', function: { name, parameters: {} } }));
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'demo', stream: true, messages: start(), tools }),
  });
  const chunks = (await response.text())
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as { choices: { delta: Delta }[] })
    .flatMap(({ choices }) => choices.map(({ delta }) => delta));
  expect(chunks.map(({ content }) => content ?? '').join('')).toBe('First I look at what is in the folder.');
  expect(chunks.filter(({ content }) => content).length).toBeGreaterThan(1);
  const calls = chunks.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => call.function);
  expect(calls[0]?.name).toBe(TOOLS.list);
  expect(calls.map((call) => call.arguments).join('')).toBe(JSON.stringify({ path: FOLDER }));
});

interface Delta {
  content?: string;
  tool_calls?: { function: { name?: string; arguments: string } }[];
}

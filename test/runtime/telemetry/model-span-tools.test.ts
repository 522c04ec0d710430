import type { Message } from '../../../agent/model/message';
import { type ModelAttempt, modelSpanRecord } from '../../../runtime/telemetry/model-span-record';
import { modelAnswer, toolSpec } from '../../workflows/state-data';

const run = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true };
/** Attributes that a span holds by default. */
const MAX_ATTRIBUTES = 128;

function content(made: Pick<ModelAttempt, 'tools' | 'messages'>): { names: string[]; all: number; values: object } {
  const record = modelSpanRecord(run, {
    ...made,
    ...{ subject: { id: 'r', agent: 'a.b' }, call: { turn: 1, model: 'default' } },
    ...{ callId: '1', attempt: 1, request: 1 },
    ...{ start: 0, end: 1, system: 'Be brief.', answer: modelAnswer({ text: 'Yes.' }) },
    config: { baseUrl: 'https://api.openai.com/v1', model: 'm', temperature: 1, prices: { prompt: 1, completion: 2 } },
  });
  const names = Object.keys(record.content ?? {});
  return { names, all: names.length + Object.keys(record.attributes).length, values: record.content ?? {} };
}

const tools = (count: number) => Array.from({ length: count }, (_, i) => toolSpec(`tool.${i}`));

it('a model call with many tools and messages has the first tools as attributes, and all of them as JSON', () => {
  const message = (i: number): Message => ({ role: 'user', parts: [{ type: 'text', text: `message ${i}` }], turn: i });
  const { names, all, values } = content({
    tools: tools(300),
    messages: Array.from({ length: 60 }, (_, i) => message(i)),
  });
  expect(names.filter((name) => name.startsWith('llm.tools.'))).toHaveLength(16);
  // A span that is full loses its last attributes.
  expect(names.at(-1)).toBe('llm.tools.15.tool.json_schema');
  expect(all).toBeLessThanOrEqual(MAX_ATTRIBUTES);
  const { 'gen_ai.tool.definitions': definitions } = values as { [name: string]: string };
  expect(JSON.parse(definitions ?? '[]')).toHaveLength(300);
  expect(JSON.parse(definitions ?? '[]')[7]).toEqual({
    ...{ type: 'function', name: 'tool_7', description: 'tool.7', parameters: { type: 'object' } },
  });
});

it('a model call without tools has no attributes about them', () => {
  const { names } = content({ tools: [], messages: [] });
  expect(names.filter((name) => name.includes('tool'))).toEqual([]);
});

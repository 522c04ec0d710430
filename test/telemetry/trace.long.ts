import { defineAgent, defineTool } from 'holdfast';
import { call, calls, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import type { ReceivedSpan } from './otlp-receiver';
import { TracedStage, tree } from './traced-stage';

const headers: unknown[] = [];
let failures = 0;
const lookup = defineTool({
  description: 'Find an order',
  effect: 'read',
  attempts: 2,
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }, ctx) => {
    headers.push(ctx.headers.traceparent);
    if (failures-- > 0) throw new Error('the card 4111-1111 is unknown');
    return { id, card: '4111-1111' };
  },
});
const peek = defineTool({
  description: 'Look quickly',
  effect: 'read',
  placement: 'inline',
  inputSchema: z.object({}),
  execute: () => 'seen',
});
const refund = defineTool({
  description: 'Pay back',
  approval: 'always',
  inputSchema: z.object({ amount: z.number() }),
  execute: () => 'paid',
});
const triage = defineAgent({
  name: 'support.triage',
  instructions: 'Sort support mail.',
  inputSchema: z.object({ mail: z.string() }),
  tools: { lookup, peek, refund },
});

const counter = defineAgent({
  name: 'support.counter',
  instructions: 'Count.',
  outputSchema: z.object({ n: z.number() }),
});

let stage: TracedStage;
beforeAll(async () => {
  stage = await TracedStage.open([triage, counter]);
});
beforeEach(async () => {
  failures = 0;
  headers.length = 0;
  stage.kit.model.reset();
  await stage.spans();
  stage.otlp.clear();
  await stage.worker();
});
afterAll(() => stage.close());

const input = { mail: 'The card 4111-1111 was charged twice.' };
const server = { kind: 'status', status: 500 } as const;

const find = (spans: readonly ReceivedSpan[], kind: string, nth = 0): ReceivedSpan => {
  const found = spans.filter(({ attributes }) => attributes['openinference.span.kind'] === kind)[nth];
  if (found === undefined) throw new Error(`no ${kind} in ${tree(spans).join(', ')}`);
  return found;
};

it('a span has the system prompt that was sent, with the schema that it described', async () => {
  const refusal = { kind: 'status', status: 400, message: 'This response_format type is unavailable now' } as const;
  const system = 'llm.input_messages.0.message.content';
  await stage.worker({ telemetry: { content: true } });
  stage.kit.model.script(text('{"n":1}'), fault(refusal), fault(refusal), text('{"n":2}'));
  const results = [1, 2].map((n) => ({ data: { n } }));
  for (const result of results) {
    expect(await (await stage.kit.start(counter, { input: 'go' })).result()).toMatchObject(result);
  }
  const models = (await stage.spans()).filter(({ attributes }) => attributes['openinference.span.kind'] === 'LLM');
  const shown = models.map(({ attributes }) => attributes[system]);
  const described = expect.stringMatching(/^Count\.\n\n.*"n"/s);
  // An answer, two refusals and another answer: each request has its span.
  expect(shown).toEqual(['Count.', 'Count.', described, described]);
  expect(shown).toEqual(stage.kit.model.requests.map(({ body }) => body.messages[0]?.content));
});

it('makes one trace of a run: its turns, each attempt at a model and a tool, and what was not run', async () => {
  failures = 1;
  stage.kit.model.script(
    fault(server),
    calls(['lookup', { id: 'o1' }], ['unheard_of', {}]),
    call('peek'),
    text('billing', { usage: { prompt: 30, completion: 3 } }),
  );
  const run = await stage.kit.start(triage, { input, owner: 'ann' });
  const { usage, executionUnits } = await run.result();
  const spans = await stage.spans();
  expect(tree(spans)).toEqual([
    'AGENT invoke_agent support.triage',
    'CHAIN turn 1 < invoke_agent support.triage',
    'CHAIN turn 2 < invoke_agent support.triage',
    'CHAIN turn 3 < invoke_agent support.triage',
    'LLM chat scripted < turn 1',
    'LLM chat scripted < turn 1 ! ModelUnavailable',
    'LLM chat scripted < turn 2',
    'LLM chat scripted < turn 3',
    'TOOL execute_tool lookup < turn 1',
    'TOOL execute_tool lookup < turn 1 ! ToolFailed',
    'TOOL execute_tool peek < turn 2',
    'TOOL execute_tool unheard_of < turn 1 ! UnknownTool',
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  for (const { start, end } of spans) expect(end).toBeGreaterThanOrEqual(start);

  expect(find(spans, 'AGENT').attributes).toMatchObject({
    'session.id': run.id,
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'support.triage',
    'gen_ai.usage.input_tokens': usage.prompt,
    'holdfast.execution_units': executionUnits,
    'holdfast.end_reason': 'completed',
    'holdfast.turns': 3,
  });
  expect(spans.find(({ attributes }) => attributes['llm.token_count.prompt'] === 30)?.attributes).toMatchObject({
    'llm.model_name': 'scripted',
    'llm.token_count.completion': 3,
    'llm.token_count.total': 33,
    'llm.cost.total': 36,
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted',
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
    'holdfast.turn': 3,
    'holdfast.attempt': 1,
  });
  expect(spans.find(({ attributes }) => attributes['tool.name'] === 'lookup')?.attributes).toMatchObject({
    'openinference.span.kind': 'TOOL',
    'tool_call.id': 't1.1',
    'gen_ai.tool.call.id': 't1.1',
  });
  expect(stage.otlp.resource).toMatchObject({ 'service.name': 'holdfast' });
});

it('sends no content by default: no message, no argument, no result, no error text, no name', async () => {
  failures = 1;
  stage.kit.model.script(call('lookup', { id: 'o1' }), text('The answer is billing.'));
  await (await stage.kit.start(triage, { input, owner: 'ann@example.com' })).result();
  await stage.spans();
  for (const content of [
    'Find an order',
    'json_schema',
    'tool.definitions',
    '4111',
    'o1',
    'Sort support',
    'The answer',
    'ann@',
    'very-secret',
  ]) {
    expect(stage.otlp.raw).not.toContain(content);
  }
});

it('sends content on request, after the redaction hook and without values that the hook fails on', async () => {
  await stage.worker({
    telemetry: {
      content: true,
      redact(attribute, value) {
        if (attribute === 'user.id') throw new Error('no');
        if (attribute === 'gen_ai.output.messages') return undefined;
        return value.replaceAll(/\d{4}-\d{4}/g, '****');
      },
    },
  });
  failures = 1;
  stage.kit.model.script(call('lookup', { id: 'o1' }), text('The answer is billing.'));
  await (await stage.kit.start(triage, { input, owner: 'ann@example.com' })).result();
  const spans = await stage.spans();
  expect(find(spans, 'AGENT').attributes).toMatchObject({
    'input.value': '{"mail":"The card **** was charged twice."}',
    'output.value': 'The answer is billing.',
  });
  expect(find(spans, 'LLM', 1).attributes).toMatchObject({
    'llm.input_messages.0.message.role': 'system',
    'llm.input_messages.0.message.content': 'Sort support mail.',
    'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'lookup',
    'llm.input_messages.3.message.role': 'tool',
    'llm.output_messages.0.message.content': 'The answer is billing.',
    'output.value': 'The answer is billing.',
  });
  const attributes = find(spans, 'LLM', 1).attributes as { [name: string]: string };
  const { 'gen_ai.tool.definitions': definitions = '[]', 'llm.tools.0.tool.json_schema': schema = '{}' } = attributes;
  const shown = {
    ...{ name: 'lookup', description: 'Find an order' },
    parameters: expect.objectContaining({ type: 'object', required: ['id'] }),
  };
  expect(JSON.parse(schema)).toEqual({ type: 'function', function: shown });
  expect(JSON.parse(definitions)).toMatchObject([{ type: 'function', ...shown }, { name: 'peek' }, { name: 'refund' }]);
  expect(Object.keys(attributes).filter((name) => name.startsWith('llm.tools.'))).toHaveLength(3);
  const tools = spans.filter(({ attributes }) => attributes['openinference.span.kind'] === 'TOOL');
  expect(tools.map(({ status }) => status.message)).toEqual(['`lookup` failed: the card **** is unknown', undefined]);
  expect(tools[1]?.attributes).toMatchObject({ 'input.value': '{"id":"o1"}' });
  expect(stage.otlp.raw).not.toMatch(/4111|ann@|gen_ai\.output\.messages/);
});

it('is part of the trace of its caller, and passes its own position to tools and models', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  stage.kit.model.script(call('lookup', { id: 'o1' }), text('billing'));
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  await (await stage.kit.start(triage, { input, traceparent })).result();
  const spans = await stage.spans();
  expect(find(spans, 'AGENT').parentSpanId).toBe('b7ad6b7169203331');
  expect(spans.map((span) => span.traceId)).toEqual(spans.map(() => traceId));
  expect(headers).toEqual([`00-${traceId}-${find(spans, 'TOOL').spanId}-01`]);
  const sent = stage.kit.model.requests.map((request) => request.headers.traceparent);
  expect(sent).toEqual([0, 1].map((nth) => `00-${traceId}-${find(spans, 'LLM', nth).spanId}-01`));
});

it('makes no spans if its caller wants none', async () => {
  stage.kit.model.script(text('billing'));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
  await (await stage.kit.start(triage, { input, traceparent })).result();
  expect(await stage.spans()).toEqual([]);
});

it('makes no span twice when every workflow task replays the run, nor when the history is replayed', async () => {
  await stage.worker({ maxCachedWorkflows: 0 });
  stage.kit.model.script(call('lookup', { id: 'o1' }), call('lookup', { id: 'o2' }), text('billing'));
  const run = await stage.kit.start(triage, { input });
  await run.result();
  await stage.kit.replay(run);
  const spans = await stage.spans();
  expect(tree(spans)).toEqual([
    'AGENT invoke_agent support.triage',
    'CHAIN turn 1 < invoke_agent support.triage',
    'CHAIN turn 2 < invoke_agent support.triage',
    'CHAIN turn 3 < invoke_agent support.triage',
    'LLM chat scripted < turn 1',
    'LLM chat scripted < turn 2',
    'LLM chat scripted < turn 3',
    'TOOL execute_tool lookup < turn 1',
    'TOOL execute_tool lookup < turn 2',
  ]);
});

it('has a span for the time that a call waited for a person, also across a change of workers', async () => {
  // Without a sticky queue, which the time-skipping server would never give up.
  await stage.worker({ maxCachedWorkflows: 0 });
  stage.kit.model.script(call('refund', { amount: 40 }), text('done'));
  const run = await stage.kit.start(triage, { input });
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await stage.kit.skip('1h');
  await stage.worker();
  await run.workflow.signal('approve', { toolUseId: ask?.toolUseId, by: 'ann@example.com' });
  await run.result();
  const spans = await stage.spans();
  expect(tree(spans)).toEqual([
    'AGENT invoke_agent support.triage',
    'CHAIN turn 1 < invoke_agent support.triage',
    'CHAIN turn 2 < invoke_agent support.triage',
    'GUARDRAIL approve refund < turn 1',
    'LLM chat scripted < turn 1',
    'LLM chat scripted < turn 2',
    'TOOL execute_tool refund < turn 1',
  ]);
  const approval = find(spans, 'GUARDRAIL');
  expect(approval.attributes).toMatchObject({ 'holdfast.approval.decision': 'approve', 'gen_ai.tool.name': 'refund' });
  expect(approval.end - approval.start).toBeGreaterThan(3_000_000);
  expect(stage.otlp.raw).not.toContain('ann@');
});

it('has a span with the error of a run that fails, also before its first turn', async () => {
  const early = await stage.kit.start('support.triage', { input: { letter: 'no mail' } });
  await expect(early.result()).rejects.toMatchObject({ type: 'InvalidInput' });
  stage.kit.model.script(fault({ kind: 'status', status: 401 }));
  const late = await stage.kit.start(triage, { input });
  await expect(late.result()).rejects.toMatchObject({ type: 'ModelUnauthorized' });
  expect(tree(await stage.spans())).toEqual([
    'AGENT invoke_agent support.triage ! InvalidInput',
    'AGENT invoke_agent support.triage ! ModelUnauthorized',
    'CHAIN turn 1 < invoke_agent support.triage ! ModelUnauthorized',
    'LLM chat scripted < turn 1 ! ModelUnauthorized',
  ]);
});

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { text as content, listenMcp } from '../activities/mcp/http-server';
import { TracedStage } from './traced-stage';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

const metas: unknown[] = [];
const headers: unknown[] = [];
const active: unknown[] = [];
const look = defineTool({
  description: 'Look',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (_, ctx) => {
    headers.push(ctx.headers);
    active.push(trace.getActiveSpan()?.spanContext().spanId);
    return 'seen';
  },
});

let server: Awaited<ReturnType<typeof listenMcp>>;
beforeAll(async () => {
  // The set-up of an application that uses OpenTelemetry.
  context.setGlobalContextManager(new AsyncContexts());
  server = await listenMcp({
    note: ({ meta }) => {
      metas.push(meta?.traceparent);
      return { content: [content('noted')] };
    },
  });
});
beforeEach(() => {
  for (const list of [metas, headers, active]) list.length = 0;
});
afterAll(async () => {
  context.disable();
  await server.close();
});

const agentWith = (name: string) =>
  defineAgent({ name, instructions: 'Go.', tools: { look }, mcp: { far: { url: server.url } } });

describe('with an endpoint', () => {
  let stage: TracedStage;
  beforeAll(async () => {
    stage = await TracedStage.open([agentWith('test.traced')]);
    await stage.worker();
  });
  afterAll(() => stage.close());

  it('the span that is active at the start of a run is its parent, and each call passes on its own', async () => {
    stage.kit.model.script(call('look'), call('far_note'), text('done'));
    const span = { traceId: TRACE, spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED };
    const run = await context.with(trace.setSpanContext(ROOT_CONTEXT, span), () =>
      stage.kit.start('test.traced', { input: 'go' }),
    );
    await run.result();
    const spans = await stage.spans();
    const tool = (name: string) => spans.find(({ attributes }) => attributes['tool.name'] === name)?.spanId;
    expect(spans.find(({ name }) => name.startsWith('invoke_agent'))).toMatchObject({
      traceId: TRACE,
      parentSpanId: span.spanId,
    });
    expect(headers).toEqual([{ traceparent: `00-${TRACE}-${tool('look')}-01` }]);
    expect(active).toEqual([tool('look')]);
    expect(metas).toEqual([`00-${TRACE}-${tool('far.note')}-01`]);
  });
});

describe('without an endpoint', () => {
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    kit = await createAgentTestEnvironment({ agents: [agentWith('test.plain')] });
  });
  afterEach(() => kit.model.reset());
  afterAll(() => kit.close());

  it("the caller's headers are passed on unchanged", async () => {
    kit.model.script(call('look'), call('far_note'), text('done'));
    await (await kit.start('test.plain', { input: 'go', traceparent })).result();
    expect([...headers, ...metas]).toEqual([{ traceparent }, traceparent]);
    expect(kit.model.requests.map((request) => request.headers.traceparent)).toEqual(Array(3).fill(traceparent));
  });

  it('nothing is passed on, and nothing is in history, if the caller sent nothing', async () => {
    kit.model.script(call('look'), call('far_note'), text('done'));
    const run = await kit.start('test.plain', { input: 'go' });
    await run.result();
    expect([...headers, ...metas]).toEqual([{}, undefined]);
    expect(kit.model.requests.map((request) => request.headers.traceparent)).toEqual(Array(3).fill(undefined));
    const { events } = await kit.history(run);
    const payloads = [...JSON.stringify(events).matchAll(/"data":"([^"]+)"/g)];
    const texts = payloads.map(([, data = '']) => Buffer.from(data, 'base64').toString());
    expect(texts.join()).toContain('"manifest"');
    expect(texts.join()).not.toMatch(/traceparent|traced/);
  });
});

class AsyncContexts implements ContextManager {
  readonly #store = new AsyncLocalStorage<Context>();
  active = () => this.#store.getStore() ?? ROOT_CONTEXT;
  with: ContextManager['with'] = (inner, work, self, ...args) =>
    this.#store.run(inner, () => work.call(self as never, ...args));
  bind: ContextManager['bind'] = (_, target) => target;
  enable = () => this;
  disable = () => this;
}

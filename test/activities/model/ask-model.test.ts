import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createCallModel } from '../../../activities/model/call-model';
import { CircuitBreaker } from '../../../activities/model/circuit/breaker';
import type { Leases } from '../../../activities/model/leases/leases';
import type { Message } from '../../../agent/model/message';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { Manifest } from '../../../agent/protocol/manifest';
import { formatTraceparent, runTrace } from '../../../agent/protocol/trace';
import type { Tracing } from '../../../runtime/telemetry/make-spans';
import type { SpanRecord } from '../../../runtime/telemetry/span-record';
import { fault, type ScriptStep, text } from '../../kit/scripted-model';
import { plainManifest } from '../plain-manifest';
import { configOf, model } from './asking';
import { lookup } from './lookup';

const prefix = { epoch: 0, length: 0, hash: '' };
const input: CallModelInput = {
  ...{ pin: { manifest: 'a', context: 'b' }, turn: 1, lifecycle: 'init', model: 'default' },
  ...{ prefix, transcript: { ...prefix, length: 1 } },
};
const refused = (status: number) => fault({ kind: 'status', status, message: 'response_format is not supported' });
const inLine = ApplicationFailure.create({ type: 'WaitsInLine', message: 'Other calls wait.' });

/** Makes calls in a traced run. Between the requests, `lease` is asked. */
async function stage(
  steps: ScriptStep[],
  lease: () => Promise<void> = async () => {},
  given: { manifest?: Partial<Manifest>; messages?: Message[] } = {},
) {
  const server = await model(...steps);
  const spans: SpanRecord[] = [];
  const leased = jest.fn(lease);
  const during: Leases['during'] = async (_, call) => {
    await leased();
    return call();
  };
  const activity = createCallModel({
    models: { default: configOf(server) },
    bus: { publish() {}, subscribe: () => () => {} },
    load: async () => ({
      manifest: { ...plainManifest, traced: true, output: { type: 'object' }, ...given.manifest },
      context: { metadata: {}, traceparent: formatTraceparent(runTrace('run-1', undefined)) },
      messages: given.messages ?? [{ role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 0 }],
    }),
    checkServiceCalls: async ({ requests }) => [...requests],
    judge: async ({ requests }) => [...requests],
    runTools: async ({ answer }) => answer,
    expect: () => {},
    leases: { during },
    breaker: new CircuitBreaker({ warn() {} }),
    tracing: { record: (span: SpanRecord) => spans.push(span) } as unknown as Tracing,
  });
  const call = () =>
    new MockActivityEnvironment(
      { activityId: '7', startToCloseTimeoutMs: 600_000, workflowExecution: { workflowId: 'run-1', runId: 'r' } },
      { logger: new DefaultLogger('ERROR') },
    ).run(activity, input);
  return { server, spans, leased, call };
}

it('each request of a call has a lease and a span of its own, to which its `traceparent` belongs', async () => {
  const { server, spans, leased, call } = await stage([refused(400), text('{"a":1}')]);
  await call();
  expect(leased).toHaveBeenCalledTimes(2);
  expect(spans.map(({ error }) => error?.type)).toEqual(['ModelRequestInvalid', undefined]);
  expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual(
    spans.map(({ place }) => formatTraceparent(place)),
  );
  expect(new Set(spans.map(({ place }) => place.spanId)).size).toBe(2);
});

it('a call that waits for its lease has no span', async () => {
  const { spans, call } = await stage([], () => Promise.reject(inLine));
  await expect(call()).rejects.toMatchObject({ type: 'WaitsInLine' });
  expect(spans).toEqual([]);
});

it('neither has the wait for a second request', async () => {
  let requests = 0;
  const { spans, call } = await stage([refused(400)], async () => {
    if (++requests > 1) throw inLine;
  });
  await expect(call()).rejects.toMatchObject({
    type: 'WaitsInLine',
    details: [null, { downgraded: { from: 'schema' } }],
  });
  expect(spans.map(({ error }) => error?.type)).toEqual(['ModelRequestInvalid']);
});

it('where calls are text, the span shows the request as it is, and its server is told of no output', async () => {
  const messages: Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 0 },
    {
      role: 'assistant',
      parts: [{ type: 'tool_use', toolUseId: 't1.1', name: 'look.up', input: { q: 'tea' } }],
      turn: 1,
    },
  ];
  const manifest = { toolCalls: 'text' as const, tools: [lookup] };
  const { server, spans, call } = await stage([text('{"a":1}')], undefined, { manifest, messages });
  await call();
  const [sent] = server.requests;
  expect(sent?.body).not.toHaveProperty('tools');
  expect(sent?.body).not.toHaveProperty('response_format');
  const content = JSON.stringify(spans[0]?.content);
  expect(content).toContain('# Your tools');
  expect(content).toContain('<tool>');
  expect(Object.keys(spans[0]?.content ?? {}).filter((name) => name.startsWith('llm.tools'))).toEqual([]);
});

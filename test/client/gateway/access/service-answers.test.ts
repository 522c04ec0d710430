import type { UIMessage } from 'ai';
import { defineAgent, defineContract, eventService, signalService, toolApproval } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import { z } from 'zod';
import { SILENT_LOG } from '../../../../runtime/log';
import { until } from '../../../until';
import { callsIn, metadataOf, pageOf } from '../chat/page';
import { type GatewayKit, keyFor, read, serveKit, signedHeaders, startGatewayKit } from '../kit';

const contract = (type: string) =>
  defineContract({
    type,
    description: type,
    versions: {
      '1.0.0': { accepts: z.object({}), emits: { [`evt.${type}.success`]: z.object({ said: z.string() }) } },
    },
  });
const shop = defineAgent({
  name: 'support.shop',
  mode: 'conversation',
  instructions: 'Sell.',
  services: {
    pay: eventService(contract('bank.pay'), '1.0.0', { outlet: 'bank' }),
    confirm: signalService(contract('bank.confirm'), '1.0.0'),
    locate: signalService(contract('place.find'), '1.0.0'),
    may_i: signalService(toolApproval, '1.0.0'),
  },
});

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const ann = keyFor('ann', ['start', 'read', 'message']);
const clerk = keyFor('ann', ['decide']);
const boss = keyFor('boss', ['admin']);

const lines: object[] = [];
let gateway: GatewayKit;
/** What the log has said at the start. */
let first: object[];
beforeAll(async () => {
  gateway = await startGatewayKit(
    {
      keys: [ann, clerk, boss].map(({ entry }) => entry),
      webhooks: {
        bank: { secret: SECRET, services: ['bank.confirm', 'com.bank.pay'] },
        places: { secret: OTHER, services: ['com.place.other'] },
      },
    },
    {
      agents: [shop],
      outlets: { bank: () => undefined },
      log: { ...SILENT_LOG, info: (line) => void lines.push(line), warn: (line) => void lines.push(line) },
    },
  );
  first = [...lines];
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.kit.model.reset();
  lines.length = 0;
});

type Who = { token: string };
const send = (who: Who, path: string, json: unknown) => read(gateway.request(path, { token: who.token, json }));
const webhook = (name: string, secret: string, event: object) => {
  const body = JSON.stringify(event);
  const headers = signedHeaders(secret, body);
  return read(gateway.request(`/webhooks/${name}`, { method: 'POST', token: null, body, headers }));
};
const handleOf = (id: string) => gateway.kit.client.get(id);

interface Asked {
  id: string;
  /** Answers the call by its id. */
  result: (who: Who, more?: object) => ReturnType<typeof send>;
  ref: string;
  event: { [field: string]: unknown };
}

async function asked(service: 'pay' | 'confirm' | 'locate'): Promise<Asked> {
  gateway.kit.model.script(call(service), text('Done.'));
  const { body } = await read<{ id: string }>(
    gateway.request('/v1/runs', { token: ann.token, json: { agent: 'support.shop', input: 'Go' } }),
  );
  const { id } = body;
  const { services } = await handleOf(id).waiting({ atLeast: { services: 1 } });
  const [{ ref }] = services;
  const type = { pay: 'evt.bank.pay.success', confirm: 'evt.bank.confirm.success', locate: 'evt.place.find.success' };
  return {
    id,
    ref,
    result: (who, more = {}) => send(who, `/v1/runs/${id}/calls/t1.1/result`, { data: { said: 'yes' }, ...more }),
    event: {
      specversion: '1.0',
      id: `answer-${id}`,
      source: 'test',
      type: type[service],
      subject: id,
      parentid: ref,
      data: { said: 'yes' },
    },
  };
}

/** Facts of a run about answers, once it has one. */
async function answersOf(id: string): Promise<object[]> {
  const found: object[] = [];
  const signal = AbortSignal.timeout(20_000);
  for await (const fact of handleOf(id).facts({ signal })) {
    if (fact.type === 'service.answered' || fact.type === 'message.ignored') found.push(fact);
    if (fact.type === 'exchange.end') break;
  }
  return found;
}
const isWaiting = async (id: string) => (await handleOf(id).waiting()).services.length === 1;
const refused = { status: 403, body: { error: { type: 'MissingScope' } } };
const TAKEN = [expect.objectContaining({ type: 'service.answered', toolUseId: 't1.1' })];

describe.each([
  ['an event service', 'pay'],
  ['a signal service that a webhook names', 'confirm'],
] as const)('the answer of %s', (_, service) => {
  test('is refused from a caller with `message` alone, however it comes, and the log says so', async () => {
    const { id, ref, result, event } = await asked(service);
    expect(await result(ann)).toMatchObject(refused);
    expect(await result(ann, { idempotencyKey: ref })).toMatchObject(refused);
    expect((await result(ann)).body.error.message).toContain('`decide`');
    expect(await send(ann, '/v1/events', event)).toMatchObject(refused);
    expect(await isWaiting(id)).toBe(true);
    const about = { user: 'ann', tenant: 'acme', id, outcome: 'MissingScope' };
    expect(lines).toContainEqual({ audit: 'result', ...about, toolUseId: 't1.1' });
    expect(lines).toContainEqual({ audit: 'event', ...about });
  });

  test.each([
    ['a caller with `decide`', ({ result }: Asked) => result(clerk)],
    ['a caller with `admin`', ({ result }: Asked) => result(boss)],
    ['an event of a caller with `decide`', ({ event }: Asked) => send(clerk, '/v1/events', event)],
    ['its webhook', ({ event }: Asked) => webhook('bank', SECRET, event)],
  ])('is taken from %s', async (_who, answer) => {
    const waiting = await asked(service);
    expect(await answer(waiting)).toMatchObject({ status: 202 });
    expect(await answersOf(waiting.id)).toEqual(TAKEN);
  });

  test('is refused from a webhook of other services, whatever type it claims', async () => {
    const { id, event } = await asked(service);
    const answer = await webhook('places', OTHER, { ...event, type: 'evt.place.other.success' });
    expect(answer).toMatchObject({ status: 403, body: { error: { type: 'OtherService' } } });
    expect(await isWaiting(id)).toBe(true);
    expect(lines).toContainEqual({ audit: 'webhook', webhook: 'places', id, outcome: 'OtherService' });
  });
});

test.each([
  ['by its id', ({ result }: Asked) => result(ann)],
  ['by its id and key', ({ result, ref }: Asked) => result(ann, { idempotencyKey: ref })],
  ['by an event', ({ event }: Asked) => send(ann, '/v1/events', event)],
])('a call that no webhook names is answered with `message`: %s', async (_, answer) => {
  const waiting = await asked('locate');
  expect(await answer(waiting)).toMatchObject({ status: 202 });
  expect(await answersOf(waiting.id)).toEqual(TAKEN);
  // A repeated answer is accepted and counted, as every late one is.
  expect(await answer(waiting)).toMatchObject({ status: 202 });
  await until(async () => (await handleOf(waiting.id).state()).ignored.LateAnswer === 1, 'the late answer');
});

test('an answer of `toolApproval` approves calls, and needs `decide`', async () => {
  gateway.kit.model.script(call('may_i', { message: 'May I?', tools: ['pay'] }), text('Done.'));
  const { body } = await read<{ id: string }>(
    gateway.request('/v1/runs', { token: ann.token, json: { agent: 'support.shop', input: 'Go' } }),
  );
  await handleOf(body.id).waiting({ atLeast: { services: 1 } });
  const answer = (who: Who) => send(who, `/v1/runs/${body.id}/calls/t1.1/result`, { data: { approvals: [] } });
  expect(await answer(ann)).toMatchObject(refused);
  expect(await isWaiting(body.id)).toBe(true);
  expect(await answer(clerk)).toMatchObject({ status: 202 });
  expect(await answersOf(body.id)).toEqual(TAKEN);
});

test('an answer that comes before its call is not kept for it', async () => {
  const { id, result } = await asked('locate');
  const path = `/v1/runs/${id}/calls/t2.1/result`;
  expect(await send(ann, path, { data: { said: 'early' } })).toMatchObject({ status: 202 });
  await until(async () => (await handleOf(id).state()).ignored.StrangeAnswer === 1, 'the early answer');
  const { events } = await gateway.kit.client.temporal.workflow.getHandle(id).fetchHistory();
  const signal = events?.findLast(
    (event) => event.workflowExecutionSignaledEventAttributes,
  )?.workflowExecutionSignaledEventAttributes;
  const early = JSON.parse(Buffer.from(signal?.input?.payloads?.[0]?.data ?? []).toString());
  expect(early).toMatchObject({ toolUseId: 't2.1', data: { said: 'early' } });
  // The same message after the call has begun, as if it had been on its way: it is of no use.
  gateway.kit.model.reset();
  gateway.kit.model.script(call('pay'), text('Done.'));
  await result(ann);
  const { services } = await handleOf(id).waiting({ atLeast: { services: 1 } });
  expect(services[0]).toMatchObject({ toolUseId: 't2.1', kind: 'event' });
  await gateway.kit.client.temporal.workflow.getHandle(id).signal('toolResult', early);
  await until(async () => (await handleOf(id).state()).ignored.OutdatedAnswer === 1, 'the early answer again');
  expect(await isWaiting(id)).toBe(true);
});

test('without a worker it is not known who may answer: only a caller with `decide` is not asked to come again', async () => {
  const id = 'acme:without-worker';
  const { client } = gateway.kit;
  const start = { workflowId: id, taskQueue: 'without-workers', args: [{ input: 'Go', owner: 'acme:ann' }] };
  await client.temporal.workflow.start('support.shop', start);
  const keys = [ann, clerk].map(({ entry }) => entry);
  const hasty = await serveKit(client, { agents: [shop], config: { keys }, workerTimeout: 200 });
  try {
    const answer = ({ token }: Who) =>
      read(hasty.request(`/v1/runs/${id}/calls/t1.1/result`, { token, json: { data: { said: 'yes' } } }));
    expect(await answer(ann)).toMatchObject({ status: 503, body: { error: { type: 'NoWorker' } } });
    expect(await answer(clerk)).toMatchObject({ status: 202 });
  } finally {
    await hasty.close();
  }
});

test('a page answers its own tool, and not that of a webhook', async () => {
  gateway.kit.model.script(calls(['confirm'], ['locate']), text('Done.'));
  const { chat } = pageOf(gateway, 'support.shop', 'tools', { token: ann.token });
  await chat.sendMessage({ text: 'Go' });
  const { runId } = metadataOf(chat);
  const answered = (toolCallId: string) => ({
    ...(chat.messages.at(-1) as UIMessage),
    parts: callsIn(chat).map((part) =>
      part.toolCallId === toolCallId ? { ...part, state: 'output-available', output: { said: 'yes' } } : part,
    ),
  });
  const post = (toolCallId: string) =>
    gateway.request(`/v1/runs/${runId}/chat`, {
      token: ann.token,
      json: { id: 'tools', messages: [answered(toolCallId)] },
    });
  expect(await read(post('t1.1'))).toMatchObject(refused);
  const about = { audit: 'result', user: 'ann', tenant: 'acme', id: runId, toolUseId: 't1.1' };
  expect(lines).toContainEqual({ ...about, outcome: 'MissingScope' });
  expect((await handleOf(runId).waiting()).services).toHaveLength(2);
  expect((await post('t1.2')).status).toBe(200);
  expect(lines).toContainEqual({ ...about, toolUseId: 't1.2', outcome: 'done' });
  await until(async () => (await handleOf(runId).waiting()).services.length === 1, 'the answer of the page');
});

test('the log names services of webhooks that no agent has: what is misspelled protects nothing', () => {
  expect(first).toEqual([{ webhook: 'places', services: ['com.place.other'] }]);
});

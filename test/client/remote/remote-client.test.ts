import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HoldfastError } from 'holdfast';
import { RemoteClient, type RemoteRun } from 'holdfast/client';
import { call, fault, text } from 'holdfast/testing';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { problemAt } from '../../../cli/remote/silence';
import { newGate } from '../../gate';
import { until } from '../../until';
import { type GatewayKit, keyFor, startGatewayKit, TOKEN } from '../gateway/kit';
import { type FlakyProxy, flakyProxy } from './flaky-proxy';

const reader = keyFor('rita', ['read']);
let gateway: GatewayKit;
let proxy: FlakyProxy;
let client: RemoteClient;
beforeAll(async () => {
  gateway = await startGatewayKit({ keys: [reader.entry] });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  gateway.kit.model.reset();
  proxy = await flakyProxy(gateway.url);
  client = await RemoteClient.connect({ url: `${proxy.url}/#token=${TOKEN}` });
});
afterEach(() => proxy.close());

const approvalOf = async (run: RemoteRun) => {
  let found = (await run.waiting()).approvals[0];
  await until(async () => {
    found = (await run.waiting()).approvals[0];
    return found !== undefined;
  }, 'the call to wait');
  return found as NonNullable<typeof found>;
};

test('a run is started, decided and read', async () => {
  expect(client).toMatchObject({ url: proxy.url, user: { user: 'ann', scopes: ['admin'] } });
  gateway.kit.model.script(call('pay', { amount: 3 }), text('Paid.'));
  const run = await client.start<string>('support.clerk', { input: { text: 'pay' }, title: 'A payment' });
  const approval = await approvalOf(run);
  expect((await client.waiting({ agent: 'support.clerk', owner: 'other' })).approvals).toEqual([]);
  // Who decides is never taken from the caller.
  const given = { comment: 'fine', by: 'another user' };
  expect(await run.approve(approval, given)).toMatchObject({ decision: 'approve', by: 'ann', comment: 'fine' });
  expect(await run.result()).toMatchObject({ data: 'Paid.' });
  expect((await run.result({ history: true })).messages).toEqual(await run.transcript());
  expect(await run.state()).toMatchObject({ id: run.id, status: 'completed' });
  expect(await run.toolResult('t1.1')).toEqual([{ type: 'text', text: 'paid 3' }]);
  expect(await run.toolResult('t9.9')).toBeUndefined();
  expect(await client.sessions({ status: 'completed', limit: 500 })).toContainEqual(
    expect.objectContaining({ id: run.id, title: 'A payment' }),
  );
});

test('an error is that of the run or of the server, with its type and data', async () => {
  await expect(client.get('nowhere').state()).rejects.toMatchObject({
    name: 'HoldfastError',
    type: 'RunNotFound',
    data: { id: 'nowhere' },
  });
  gateway.kit.model.script({ fault: { kind: 'status', status: 401 } });
  const run = await client.start('support.clerk', { input: { text: 'fails' } });
  const failure = await gateway.kit.client
    .get(run.id)
    .result()
    .catch((error: HoldfastError) => error.type);
  await expect(run.result()).rejects.toMatchObject({ name: 'HoldfastError', type: failure });
  const reading = await RemoteClient.connect({ url: gateway.url, token: reader.token });
  await expect(reading.start('support.clerk', { input: { text: 'x' } })).rejects.toMatchObject({
    type: 'MissingScope',
  });
  await expect(reading.get(run.id).state()).rejects.toMatchObject({ type: 'RunNotFound' });
});

test('a write whose answer is lost is sent again, and carried out once', async () => {
  gateway.kit.model.script(text('One.'), text('Two.'));
  proxy.fate = (path, count) => (count === 0 && !path.includes('/events') ? 'lose' : 'pass');
  const run = await client.start<string>('support.desk', { input: 'Hello' });
  const { exchange } = await run.send('And now?');
  expect(exchange).toBe(2);
  expect(await run.answerTo({ exchange })).toMatchObject({ data: 'Two.' });
  expect(await client.sessions({ agent: 'support.desk', status: 'waiting' })).toHaveLength(1);
  const sent = proxy.requests.filter(({ path }) => path.endsWith('/messages') || path === '/v1/runs');
  expect(sent.map(({ fate }) => fate)).toEqual(['lose', 'pass', 'lose', 'pass']);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  expect(sent.every(({ key }) => key !== undefined)).toBe(true);
  expect((await run.state()).exchange).toBe(2);
  await run.close();
});

test('events go on over lost connections: facts once and in order, and text that starts over is withdrawn', async () => {
  const { open, opened } = newGate();
  gateway.kit.model.script(async () => {
    await opened;
    return text('A long answer');
  }, text('Bye.'));
  const run = await client.start('support.desk', { input: 'Hello' });
  const events: (Fact | StreamDelta)[] = [];
  const stop = new AbortController();
  const reading = (async () => {
    for await (const event of run.events({ signal: stop.signal })) events.push(event);
  })();
  const facts = () => events.filter((event): event is Fact => !('callId' in event));
  const has = (type: string) => () => events.some((event) => event.type === type);
  await until(has('loop.iteration'), 'the first turn');
  // Away for two tries.
  let away = 2;
  proxy.fate = (path) => (path.includes('/events') && away-- > 0 ? 'away' : 'pass');
  const before = facts().at(-1)?.seq;
  proxy.cut();
  await until(() => away < 0, 'the reader to come back');
  open();
  await until(has('exchange.end'), 'the answer');
  const retried = proxy.requests.filter(({ path }) => path.includes('/events')).slice(1);
  expect(retried.map(({ lastEventId }) => Number(lastEventId))).toEqual(retried.map(() => before));
  proxy.cut();
  await run.send('Bye');
  await until(() => facts().filter(({ type }) => type === 'exchange.end').length === 2, 'the second answer');
  await run.close();
  await reading;
  expect(stop.signal.aborted).toBe(false);
  expect(facts().map(({ seq }) => seq)).toEqual(facts().map((_, i) => i + 1));
  expect(events.at(-1)?.type).toBe('loop.end');
});

test('a reader that leaves ends its connection; one of a run that does not exist gets the error', async () => {
  gateway.kit.model.script(text('Hello.'));
  const run = await client.start('support.desk', { input: 'Hello' });
  const stop = new AbortController();
  for await (const fact of run.facts({ signal: stop.signal })) if (fact.type === 'exchange.end') stop.abort();
  for await (const { seq } of run.facts({ after: 2 })) {
    expect(seq).toBe(3);
    break;
  }
  await expect(client.get('nowhere').facts().next()).rejects.toMatchObject({ type: 'RunNotFound' });
  await run.close();
});

describe('an address', () => {
  const refused = (options: Parameters<typeof RemoteClient.connect>[0]) =>
    RemoteClient.connect({ patience: 0, ...options }).then(
      () => undefined,
      (error: HoldfastError) => error,
    );

  it('at which nothing answers, or something else, is an error that names it without the token', async () => {
    expect(await refused({ url: 'http://127.0.0.1:9/x/#token=secret' })).toMatchObject({
      type: 'NoServer',
      data: { address: 'http://127.0.0.1:9/x' },
    });
    const other = createServer((request, response) => {
      const moved = request.url === '/moved/v1/me';
      response.writeHead(moved ? 302 : request.url === '/away/v1/me' ? 503 : 200, moved ? { location: '/there' } : {});
      response.end('<p>Hello</p>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await refused({ url, token: 'x' })).toMatchObject({
      type: 'ServerRefused',
      message: `${url} does not answer as \`holdfast serve\` does (status 200). Check the address.`,
    });
    expect((await refused({ url: `${url}/moved` }))?.message).toMatch(/status 302, which leads to \/there/);
    expect(await refused({ url: `${url}/away` })).toMatchObject({ type: 'NoServer' });
    await new Promise((resolve) => other.close(resolve));
  });

  it('that is invalid, or a token, is refused before anything is sent, and no error quotes a token', async () => {
    for (const url of ['agents.example.com', 'ftp://x', '', 'https://ann:secret@x', 'nothing#token=secret']) {
      const error = await refused({ url });
      expect(error).toMatchObject({ type: 'InvalidConfig' });
      expect(error?.message).not.toContain('secret');
    }
    const error = await refused({ url: gateway.url, token: 'secret\nx: y' });
    expect(error).toMatchObject({ type: 'InvalidConfig' });
    expect(error?.message).not.toContain('secret');
    expect(await refused({ url: gateway.url, token: 'wrong' })).toMatchObject({
      type: 'Unauthorized',
      message: `${gateway.url} refuses the key or token. Give a valid one, with HOLDFAST_TOKEN or as \`token\` of the client.`,
    });
    expect(await refused({ url: gateway.url })).toMatchObject({ type: 'Unauthorized' });
  });

  it('that is away for a while is waited for, and `onAway` is told once', async () => {
    let away = 2;
    proxy.fate = () => (away-- > 0 ? 'away' : 'pass');
    const told: string[] = [];
    const late = await RemoteClient.connect({ url: proxy.url, token: TOKEN, onAway: (problem) => told.push(problem) });
    expect(late.user.user).toBe('ann');
    expect(told).toEqual([expect.stringMatching(/^No server answers at /)]);
  });
});

// At a served address only the server knows it: the reader of a page, or of a chat, has no way to Temporal.
test('a run whose model does not answer says so while it is asked again, and nothing afterwards', async () => {
  gateway.kit.model.script(
    ...Array.from({ length: 20 }, () => fault({ kind: 'status', status: 503, message: 'Too busy' })),
  );
  const run = await client.start('support.clerk', { input: { text: 'go' } });
  await until(async () => (await run.problem())?.includes('Too busy') === true, 'the reason');
  expect(await run.problem()).toMatch(/^asking the model: attempt \d+, The model server at .* \(503 Too busy\)/);
  expect(await problemAt(client, run.id)).toMatch(/^asking the model: attempt/);
  const known = await RemoteClient.connect({ url: gateway.url, token: reader.token });
  await expect(known.get(run.id).problem()).rejects.toMatchObject({ type: 'RunNotFound' });
  gateway.kit.model.reset();
  gateway.kit.model.script(text('Here.'));
  expect((await run.result()).data).toBe('Here.');
  expect(await run.problem()).toBeUndefined();
});

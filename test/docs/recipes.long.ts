import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { defineAgent, defineTool } from 'holdfast';
import type { AgentClient } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { freePort } from '../../runtime/process/ports';
import { JITI } from '../sources';
import { until } from '../until';
import { blocksOf } from './pages';
import { installPackages } from './reader-project';
import { Terminal } from './terminal';

const refund = defineTool({
  description: 'Refund',
  approval: { deciders: ['ann', 'role:finance'] },
  inputSchema: z.object({ amount: z.number() }),
  execute: ({ amount }) => ({ refunded: amount }),
});
const desk = defineAgent({ name: 'support.desk', mode: 'conversation', tools: { refund } });

let kit: AgentTestEnvironment;
let folder: string;
const terminals: Terminal[] = [];
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk], server: 'dev' });
  folder = await mkdtemp(join(tmpdir(), 'holdfast-recipes-'));
  await installPackages(folder, ['express', 'zod']);
  const { address } = kit.temporal.connection.options;
  await writeFile(join(folder, 'temporal.yaml'), `temporal: {address: '${address}', taskQueue: ${kit.taskQueue}}\n`);
}, 120_000);
afterEach(() => Promise.all(terminals.splice(0).map((terminal) => terminal.end())));
afterAll(async () => {
  delete process.env.HOLDFAST_CONFIG;
  await kit.close();
  await rm(folder, { recursive: true });
});

/** The program of the page that begins with `// name`. */
const program = (name: string) =>
  blocksOf('guides/recipes.md', 'ts').find(({ code }) => code.startsWith(`// ${name}\n`))?.code ?? '';

/** Starts a program of the page. */
async function start(name: string, port: string, replaced: { [from: string]: string } = {}, env = {}): Promise<string> {
  const free = `${await freePort('127.0.0.1')}`;
  const all = Object.entries({ ...replaced, [port]: free });
  await writeFile(
    join(folder, name),
    all.reduce((adapted, [from, to]) => adapted.replaceAll(from, to), program(name)),
  );
  const options = { cwd: folder, env: { ...process.env, HOLDFAST_CONFIG: join(folder, 'temporal.yaml'), ...env } };
  terminals.push(new Terminal(`"${process.execPath}" "${JITI}" ${name}`, options));
  const url = `http://127.0.0.1:${free}`;
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(answers, `${name} to listen`, 150_000);
  return url;
}

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': 'ann' },
    body: JSON.stringify(body),
  });

interface Sent {
  id: number | undefined;
  event: { type: string; seq: number; toolUseId?: string; hash?: string };
}

/** Reads server-sent events until one of this type. */
async function readUntil(type: string, url: string, after = 0): Promise<Sent[]> {
  const left = new AbortController();
  const headers = { 'last-event-id': `${after}` };
  const { body } = await fetch(url, { headers, signal: left.signal });
  const sent = await sentUntil(type, body);
  left.abort();
  return sent;
}

async function sentUntil(type: string, body: ReadableStream<Uint8Array> | null): Promise<Sent[]> {
  const sent: Sent[] = [];
  let rest = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      const event = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '');
      sent.push({ id: id === undefined ? undefined : Number(id), event });
    }
    // Leaving the loop cancels the stream.
    if (sent.some(({ event }) => event.type === type)) break;
  }
  return sent;
}

it('the Express server takes a message once, streams every fact once, and decides', async () => {
  kit.model.script(call('refund', { amount: 40 }), text('You get 40 back.'));
  const chat = `${await start('server.ts', '3000')}/chats/ann-1`;
  const message = { id: 'm-1', text: 'Charged twice!' };
  const taken = await (await post(`${chat}/messages`, message)).json();
  expect(await (await post(`${chat}/messages`, message)).json()).toEqual(taken);
  const first = await readUntil('approval.requested', `${chat}/events`);
  const asked = first.find(({ event }) => event.type === 'approval.requested');
  const decided = await post(`${chat}/decisions`, { ...asked?.event, approve: true });
  expect(await decided.json()).toMatchObject({ decision: 'approve', by: 'ann' });
  const rest = await readUntil('exchange.end', `${chat}/events`, asked?.id);
  const ids = [...first, ...rest].flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(ids).toEqual(ids.map((_, i) => i + 1));
  const again = await post(`${chat}/decisions`, { ...asked?.event, approve: false });
  expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ type: 'ApprovalDecided' })]);
  const missing = await post(`${chat}-none/decisions`, { toolUseId: 't1.1', hash: 'h', approve: true });
  expect(missing.status).toBe(404);
}, 240_000);

it('the Express server refuses a run that does not exist, and a body that lacks what it needs', async () => {
  const chat = `${await start('server.ts', '3000')}/chats/nowhere`;
  const answer = async (asked: Promise<Response>) => {
    const response = await asked;
    return [response.status, ((await response.json()) as { type: string }).type];
  };
  expect(await answer(fetch(`${chat}/events`))).toEqual([404, 'RunNotFound']);
  for (const path of ['messages', 'decisions']) {
    for (const body of [{}, { id: '', text: '' }, { toolUseId: 't1.1', hash: 'h', approve: 'no' }, [], { id: 7 }]) {
      expect(await answer(post(`${chat}/${path}`, body))).toEqual([400, 'InvalidBody']);
    }
    expect(await answer(fetch(`${chat}/${path}`, { method: 'POST' }))).toEqual([400, 'InvalidBody']);
    const text = fetch(`${chat}/${path}`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'Hi' });
    expect(await answer(text)).toEqual([400, 'InvalidBody']);
  }
  expect(await answer(fetch(`${chat}/events`))).toEqual([404, 'RunNotFound']);
}, 240_000);

it('the route of Next.js streams facts, and ends with its reader', async () => {
  kit.model.script(text('Hello!'));
  const chat = kit.conversation(desk, { id: 'next-1' });
  await chat.ask('Hi');
  await writeFile(join(folder, 'route.ts'), program('route.ts'));
  process.env.HOLDFAST_CONFIG = join(folder, 'temporal.yaml');
  const { GET } = (await import(join(folder, 'route.ts'))) as {
    GET(request: Request, about: { params: Promise<{ id: string }> }): Promise<Response>;
  };
  const get = (after: number) =>
    GET(new Request('http://localhost', { headers: { 'last-event-id': `${after}` } }), {
      params: Promise.resolve({ id: 'next-1' }),
    });
  const all = await sentUntil('exchange.end', (await get(0)).body);
  expect(all.map(({ id }) => id)).toEqual(all.map((_, i) => i + 1));
  const rest = await sentUntil('exchange.end', (await get(3)).body);
  expect(rest[0]?.id).toBe(4);
  const unknown = await GET(new Request('http://localhost'), { params: Promise.resolve({ id: 'next-none' }) });
  expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ type: 'RunNotFound' })]);
  const { holdfast } = globalThis as { holdfast?: Promise<AgentClient> };
  await (await holdfast)?.close();
}, 120_000);

/** A request that a program sends to Slack. */
interface Asked {
  path: string;
  body: { channel?: string; text: string; blocks?: { elements?: object[] }[] };
}

async function serveSlack(): Promise<{ url: string; asked: Asked[]; server: Server }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ path: request.url ?? '', body: JSON.parse(await readText(request)) });
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

it('the Slack program posts a waiting call once, refuses what Slack did not sign, and decides', async () => {
  kit.model.script(call('refund', { amount: 50 }), text('You get 50 back.'));
  const chat = kit.conversation(desk, { id: 'slack-1' });
  await chat.send('Charged twice!');
  await chat.waiting({ atLeast: 1 });
  const slack = await serveSlack();
  const env = { SLACK_TOKEN: 'token', SLACK_SECRET: 'secret', SLACK_CHANNEL: 'C1' };
  const url = await start(
    'slack.ts',
    '3001',
    { 'https://slack.com': slack.url, 'setTimeout(5000)': 'setTimeout(100)' },
    env,
  );
  await until(() => slack.asked.length > 0, 'a message to Slack');
  const [posted] = slack.asked;
  expect(posted).toMatchObject({
    path: '/api/chat.postMessage',
    body: { channel: 'C1', text: 'support.desk wants to call refund with {"amount":50}' },
  });

  const payload = JSON.stringify({
    user: { id: 'U0123ANN', name: 'ann' },
    actions: [posted?.body.blocks?.[1]?.elements?.[0]],
    response_url: `${slack.url}/response`,
  });
  const click = (secret: string) => {
    const form = new URLSearchParams({ payload }).toString();
    const time = `${Math.floor(Date.now() / 1000)}`;
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${time}:${form}`).digest('hex')}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': time,
      'x-slack-signature': signature,
    };
    return fetch(`${url}/slack/actions`, { method: 'POST', headers, body: form });
  };
  expect((await click('wrong')).status).toBe(401);
  expect((await click('secret')).status).toBe(200);
  const answers = () => slack.asked.filter((asked) => asked.path === '/response').map((asked) => asked.body.text);
  await until(() => answers().length === 1, 'the answer to the click');
  expect(answers()).toEqual(['Approved by ann']);
  expect((await click('secret')).status).toBe(200);
  await until(() => answers().length === 2, 'the answer to the second click');
  expect(answers()[1]).toContain('ann');
  expect(slack.asked.filter((asked) => asked.path === '/api/chat.postMessage')).toHaveLength(1);
  slack.server.close();
}, 240_000);

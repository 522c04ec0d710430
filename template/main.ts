import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { ContentPart, Fact } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { serveModel } from 'holdfast/testing';
import { type DevTree, startDev } from 'holdfast/worker';
import { support } from './agents';
import { play } from './demo-model';

const MAIL = process.argv[2] ?? 'My lamp (order A-17) arrived broken. I want my money back.';

/** Starts Temporal and a worker as `holdfast dev` does, runs the agent once, and shows each step. */
async function main(stop: AbortSignal): Promise<void> {
  const demo = process.env.MODEL_URL === undefined ? await serveModel(play) : undefined;
  console.log(`Model      ${demo === undefined ? process.env.MODEL_URL : 'a scripted one, see demo-model.ts'}`);
  console.log('Starting   a Temporal server and a worker; the first time this downloads the server');
  const tree = await bringUp(demo === undefined ? {} : { MODEL_URL: demo.url }, stop);
  try {
    await runOnce(tree, stop);
    if (demo !== undefined) console.log(NEXT);
  } finally {
    await tree.stop();
    await demo?.close();
  }
}

async function bringUp(env: { [name: string]: string }, signal: AbortSignal): Promise<DevTree> {
  let ready = () => {};
  const worker = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const tree = await startDev({
    configPath: join(__dirname, 'temporal.yaml'),
    env: { HOLDFAST_LOG: 'error', ...process.env, ...env },
    signal,
    onEvent(event) {
      if (event.type === 'worker.ready') ready();
      if (event.type === 'worker.log') console.error(event.line);
    },
  });
  await Promise.race([worker, tree.done]);
  return tree;
}

async function runOnce({ config, server }: DevTree, signal: AbortSignal): Promise<void> {
  const temporal = { ...config.temporal, address: server.address };
  const client = await AgentClient.connect({ config: { ...config, temporal } });
  try {
    const run = await client.start(support, { input: { mail: MAIL } });
    console.log(`Web UI     ${server.uiUrl}/namespaces/${server.namespace}/workflows/${run.id}  until it ends\n`);
    console.log(`customer   ${MAIL}`);
    for await (const fact of run.facts({ signal })) {
      const line = lineOf(fact);
      if (line !== undefined) console.log(line);
      if (fact.type !== 'approval.requested') continue;
      if (await agrees(signal)) await run.approve(fact, { by: 'you' });
      else await run.deny(fact, { by: 'you', reason: 'not this time' });
    }
    console.log(`reply      ${(await run.result()).data.reply}`);
  } finally {
    await client.close();
  }
}

function lineOf(fact: Fact): string | undefined {
  if (fact.type === 'tool.call') return `call       ${fact.name} ${JSON.stringify(fact.input)}`;
  if (fact.type === 'tool.result') return `result     ${fact.content.map(textOf).join(' ')}`;
  if (fact.type === 'tool.error') return `error      ${fact.error.message}`;
  return undefined;
}

function textOf(part: ContentPart): string {
  return part.type === 'text' ? part.text : `[${part.mediaType}]`;
}

/** Without a terminal there is no one to ask: the demonstration goes on. */
async function agrees(signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('approval   given, since no terminal is there to ask');
    return true;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // While it asks, the terminal sends no signals: Ctrl-C arrives here, and so does Ctrl-D, which counts as a no.
  terminal.on('SIGINT', () => process.emit('SIGINT'));
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const answer = terminal.question('approval   Do you agree? [y/N] ', { signal });
    return /^y/i.test(await Promise.race([answer, closed]));
  } finally {
    terminal.close();
  }
}

const NEXT = `
It works. For a real model, name any server with OpenAI's chat completions API:

  MODEL_URL=https://api.openai.com/v1 MODEL_NAME=gpt-4.1-mini MODEL_API_KEY=… npm start

Then make the agent yours: it is in agents.ts, its tests are in agents.test.ts.`;

const stop = new AbortController();
process.once('SIGINT', () => {
  console.log('\nStopping   the worker and the server');
  stop.abort();
});
main(stop.signal).then(
  () => process.exit(stop.signal.aborted ? 130 : 0),
  (error: Error) => {
    if (!stop.signal.aborted) console.error(error.message);
    process.exit(stop.signal.aborted ? 130 : 1);
  },
);

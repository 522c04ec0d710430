import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HoldfastError } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { type DevEvent, type DevTree, startDev } from 'holdfast/worker';
import type { screenshots } from './agents';
import { serveDemoModel } from './demo-model-main';
import { freshFolder, listFolder } from './folder';
import { openPage } from './page';
import { pageLog } from './page-log';
import { Screen } from './screen';

/** The top of the repository, as seen from the compiled file in dist/. */
const CONFIG = join(__dirname, '../../../temporal.yaml');

/**
 * Starts everything for a fresh copy of the folder. With the page a person talks with the agent; without it the agent
 * works by itself, and each step is shown.
 */
async function show({ model, page }: { model: string; page: boolean }, stop: AbortSignal): Promise<number> {
  const folder = await freshFolder();
  const screen = new Screen(process.stdout, folder);
  screen.heading('Holdfast: an agent on Temporal renames seven screenshots after what they show');
  screen.field('Folder', folder, 'a fresh copy');
  const demo = model === 'demo' ? await serveDemoModel() : undefined;
  let up: { tree: DevTree; pid: number } | undefined;
  try {
    up = await bringUp(model, folder, demo?.url, screen, stop);
    return page ? await talk(up, model, screen, stop) : await work(up, model, folder, screen, stop);
  } finally {
    await up?.tree.stop();
    await demo?.close();
  }
}

/** Starts server and worker as `holdfast dev` does, and settles when the worker is ready. */
async function bringUp(
  model: string,
  folder: string,
  demoUrl: string | undefined,
  screen: Screen,
  signal: AbortSignal,
) {
  screen.field('Starting', 'Temporal server and worker', 'the first time this downloads the server');
  let pid = 0;
  let ready = () => {};
  const firstWorker = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const onEvent = (event: DevEvent) => {
    if (event.type === 'worker.ready') {
      if (pid !== 0) screen.note(`A new worker, pid ${event.pid}, goes on with the run.`);
      pid = event.pid;
      ready();
    } else if (event.type === 'worker.exit' && event.signal !== null && !signal.aborted) {
      screen.note(`The worker is gone (${event.signal}). What it was doing counts as lost after 4 s of silence.`);
    } else if (event.type === 'worker.log') screen.log(event.line);
  };
  const env = {
    HOLDFAST_LOG: 'error',
    ...process.env,
    SCREENSHOTS_FOLDER: folder,
    SCREENSHOTS_MODEL: model,
    ...(demoUrl === undefined ? {} : { DEMO_MODEL_URL: demoUrl }),
  };
  const tree = await startDev({ configPath: CONFIG, signal, env, onEvent });
  try {
    const known = Object.keys(tree.config.models);
    if (!known.includes(model)) throw new HoldfastError('UnknownModel', { alias: model, known });
    await Promise.race([firstWorker, tree.done]);
    signal.throwIfAborted();
    return { tree, pid };
  } catch (error) {
    await tree.stop();
    throw error;
  }
}

/** Serves the page, until Ctrl-C. */
async function talk(
  { tree, pid }: { tree: DevTree; pid: number },
  model: string,
  screen: Screen,
  stop: AbortSignal,
): Promise<number> {
  const { address, close } = await openPage(tree, pageLog(process.stderr, screen));
  try {
    screen.field('Model', model, model === 'demo' ? SCRIPTED : `${tree.config.models[model]?.model}`);
    screen.field('Worker', `pid ${pid}`, `try \`kill -9 ${pid}\` while it works: the run goes on`);
    screen.field('Web UI', tree.server.uiUrl);
    screen.field('Page', address);
    screen.heading('What to do');
    screen.files([
      'Open the page, choose desktop.assistant and say "rename my screenshots". Each rename waits for you: approve, edit or deny it.',
      'npm start -- --no-page lets the agent work by itself and shows its steps here. Ctrl-C ends all.',
    ]);
    await Promise.race([tree.done, new Promise((ended) => stop.addEventListener('abort', ended, { once: true }))]);
    return 0;
  } finally {
    await close();
  }
}

const SCRIPTED = 'a scripted one of this example: it decides by the real tool results';

async function work(
  { tree, pid }: { tree: DevTree; pid: number },
  model: string,
  folder: string,
  screen: Screen,
  stop: AbortSignal,
): Promise<number> {
  const { config, server } = tree;
  const client = await AgentClient.connect({
    config: { ...config, temporal: { ...config.temporal, address: server.address } },
  });
  const before = await listFolder(folder);
  const run = await client.start<typeof screenshots>('desktop.screenshots', { input: { folder } });
  screen.field('Model', model, model === 'demo' ? SCRIPTED : `${config.models[model]?.model}`);
  screen.field('Web UI', `${server.uiUrl}/namespaces/${server.namespace}/workflows/${run.id}`);
  screen.field('Worker', `pid ${pid}`, `try \`kill -9 ${pid}\` while it works: the run goes on`);
  screen.heading('Before');
  screen.files(before);
  screen.heading('Steps');
  screen.begin();
  for await (const fact of run.facts({ signal: stop })) screen.fact(fact);
  stop.throwIfAborted();
  const { data } = await run.result();
  const after = await listFolder(folder);
  screen.heading('After');
  screen.renamed(data.renamed);
  const left = after.filter((name) => before.includes(name));
  screen.files(left.map((name) => `${name}  (kept its name)`));
  await client.close();
  screen.heading('How to go on');
  screen.files([
    'examples/screenshots/agents.ts is the whole agent; README.md shows how to write your first one.',
    'npm start -- --model <alias> asks a real model; see temporal.yaml.',
  ]);
  if (process.stdout.isTTY) {
    screen.files(['The server stays up so that you can look at the run in the Web UI. Ctrl-C ends all.']);
    await Promise.race([tree.done, new Promise((ended) => stop.addEventListener('abort', ended, { once: true }))]);
  }
  if (left.length > 0) screen.problem(`${left.length} of ${before.length} screenshots were not renamed.`);
  return left.length === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { model: { type: 'string', default: 'demo' }, page: { type: 'boolean' } },
    allowNegative: true,
  });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // Without a person who looks, such as in CI, it shows that everything works.
  const page = values.page ?? (process.stdout.isTTY === true && !process.env.CI);
  try {
    return await show({ model: values.model, page }, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 130;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

void main().then((code) => process.exit(code));

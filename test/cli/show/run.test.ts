import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { tailRun } from '../../../cli/runs/tail';
import { runLines, viewRun } from '../../../cli/show/run';
import { showTool } from '../../../cli/show/tool';
import { RunHandle } from '../../../client/runs/run-handle';
import { waitForFact } from '../../facts';
import { newGate } from '../../gate';
import { said } from '../said';

const input = z.object({});
const page = `${'line of a page\n'.repeat(200)}the end`;
const PNG = Buffer.from('89504e47', 'hex').toString('base64');
const { open: release, opened: released } = newGate();
const { open: reached, opened: waiting } = newGate();
const { open: resume, opened: resumed } = newGate();

const clerk = defineAgent({
  name: 'show.clerk',
  instructions: 'x',
  model: ['first', 'second'],
  limits: { maxResultChars: 100 },
  tools: {
    page: defineTool({ description: 'x', effect: 'read', inputSchema: input, execute: () => page }),
    inline: defineTool({
      description: 'x',
      effect: 'read',
      placement: 'inline',
      inputSchema: input,
      execute: () => page,
    }),
    broken: defineTool({
      description: 'x',
      effect: 'read',
      inputSchema: input,
      execute: () => {
        throw new Error('\u001b[31mno printer');
      },
    }),
    picture: defineTool({
      description: 'x',
      effect: 'read',
      inputSchema: input,
      execute: () => [
        { type: 'text', text: 'two pictures' },
        { type: 'media', mediaType: 'image/png', data: PNG, name: 'a.png' },
        { type: 'media', mediaType: 'image/png', data: PNG },
        { type: 'media', mediaType: 'image/jpeg', url: 'https://example.com/b.jpg' },
      ],
    }),
    pause: defineTool({
      description: 'x',
      effect: 'read',
      inputSchema: input,
      execute: async () => {
        await resumed;
        return 'at last';
      },
    }),
    wait: defineTool({
      description: 'x',
      effect: 'read',
      inputSchema: input,
      execute: async () => {
        reached();
        await released;
        return 'at last';
      },
    }),
  },
});

let kit: AgentTestEnvironment;
let dir: string;
const workerTimeout = 5000;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-show-'));
  kit = await createAgentTestEnvironment({ agents: [clerk], server: 'dev' });
});
afterAll(async () => {
  await kit.close();
  rmSync(dir, { recursive: true });
});

async function ofTool(id: string, toolUseId: string, options: { out?: string; json?: boolean } = {}) {
  let out = '';
  const err: string[] = [];
  const sinks = { out: (said: string) => (out += said), err: (line: string) => err.push(line) };
  const code = await showTool(
    new RunHandle(kit.client.temporal, id, { workerTimeout }),
    toolUseId,
    { json: false, ...options },
    sinks,
  );
  return { code, out, err: err.join('\n') };
}

async function linesOf(id: string, full = false): Promise<string> {
  return runLines(await viewRun(kit.client.temporal, id, { workerTimeout }), full).join('\n');
}

it('shows the state and the transcript of an ended run, with shortened or full texts', async () => {
  kit.model.script(
    fault({ kind: 'status', status: 404 }),
    { ...calls(['page'], ['broken'], ['nope', { a: 1 }]), reasoning: 'easy' },
    text('Here it is.'),
  );
  const run = await kit.start(clerk, { id: 'ended', input: 'read', owner: 'ann', metadata: { ticket: 7 } });
  await run.result();
  const shown = await linesOf('ended');
  for (const line of [
    /^run +ended$/m,
    /^agent +show\.clerk$/m,
    /^status +completed, from 20.* to 20.*, \d+ events of history$/m,
    /^contract +1\.0\.0$/m,
    /^turn +2, 2 of 25 tool interactions$/m,
    /^usage +\d+ \+ \d+ tokens$/m,
    /^models +first, \[second\]$/m,
    /^owner +ann$/m,
    /^metadata +\{"ticket":7\}$/m,
    /^messages +\d+$/m,
    /^ +0 {2}turn 0 {2}user$/m,
    /^ +→ t1\.3 nope \{"a":1\}$/m,
    /^ +← t1\.1 page: line of a page line of a page .*\[cut: the first 100 of \d+ characters are shown\]$/m,
    /^ +← t1\.2 broken failed: `broken` failed: ‹U\+001B›\[31mno printer$/m,
    /^ +← t1\.3 nope failed: There is no tool named `nope`/m,
    /^ +\(thinks\) easy$/m,
    /^ +Here it is\.$/m,
  ]) {
    expect(shown).toMatch(line);
  }
  expect((await linesOf('ended', true)).match(/^ +line of a page$/gm)?.length).toBeGreaterThan(3);
});

it('follows a run to its end, from the start or after a fact', async () => {
  const lines = async (options: object) => {
    const { signal } = new AbortController();
    const { out } = await said(() => tailRun(kit.client, 'ended', options, signal).then(() => 0));
    return out.trimEnd().split('\n');
  };
  const all = await lines({ verbose: true });
  expect(all[0]).toMatch(/^ +1 {2}loop\.start +show\.clerk$/);
  expect(all).toContainEqual(expect.stringMatching(/^ +\d+ {2}tool\.error +t1\.2 broken: ToolFailed, /));
  expect(all.at(-1)).toMatch(/^ +\d+ {2}loop\.end +completed after 2 turns, /);
  const facts = (await lines({ after: 3, json: true })).map((line) => JSON.parse(line));
  expect(facts.map(({ seq }) => seq)).toEqual(all.slice(3).map((_, i) => i + 4));
  expect((await lines({})).at(-1)).toMatch(/^done {2}2 turns, /);
  await expect(tailRun(kit.client, 'nowhere', {}, new AbortController().signal)).rejects.toMatchObject({
    type: 'RunNotFound',
  });
});

it('shows what an open run waits for, and the error of a failed one', async () => {
  kit.model.reset();
  kit.model.script(calls(['wait'], ['nope']), text('done'));
  const open = await kit.start(clerk, { id: 'open', input: 'x' });
  await waiting;
  const shown = await linesOf('open');
  expect(shown).toMatch(/^status +running, started /m);
  expect(shown).toMatch(/^calls +t1\.1 wait, awaited$/m);
  expect(shown).toMatch(/^ +t1\.2 nope, settled$/m);
  expect(shown).toMatch(/^in flight +wait, attempt 1$/m);
  const early = await ofTool('open', 't1.1');
  expect(early).toEqual({ code: 1, out: '', err: 'The call `t1.1` of `open` has no result yet.' });
  release();
  await open.result();

  kit.model.reset();
  kit.model.script(fault({ kind: 'status', status: 401 }), fault({ kind: 'html' }));
  await (await kit.start(clerk, { id: 'failed', input: 'x' })).result().catch(() => undefined);
  expect(await linesOf('failed')).toMatch(/^error +ModelAnswerUnreadable: The server at /m);
  expect((await ofTool('failed', 't1.1')).err).toBe('The run `failed` has no call `t1.1`: it has made none.');
});

it('shows one moment, also of a run that ends while it is read', async () => {
  kit.model.reset();
  kit.model.script(calls(['pause']), text('done'));
  const run = await kit.start(clerk, { id: 'moment', input: 'x' });
  await waitForFact(run, 'tool.call');
  const { workflow } = kit.client.temporal;
  const getHandle = workflow.getHandle.bind(workflow);
  // The run ends between what Temporal tells of it first and what it tells itself.
  const spy = jest.spyOn(workflow, 'getHandle').mockImplementationOnce((id) => {
    const handle = getHandle(id);
    const describe = async () => {
      const found = await handle.describe();
      resume();
      await run.result();
      return found;
    };
    return { ...handle, describe };
  });
  const shown = await linesOf('moment');
  spy.mockRestore();
  expect(shown).toMatch(/^status +completed, from 20.* to 20/m);
  expect(shown).not.toMatch(/in flight/);
});

it('prints the full result of a call, unchanged, wherever the call ran', async () => {
  kit.model.reset();
  kit.model.script(calls(['inline'], ['inline']), calls(['page'], ['inline'], ['broken'], ['nope']), text('done'));
  await (await kit.start(clerk, { id: 'whole', input: 'x' })).result();
  for (const call of ['t1.1', 't1.2', 't2.1', 't2.2']) {
    expect([call, await ofTool('whole', call)]).toEqual([call, { code: 0, out: `${page}\n`, err: '' }]);
  }
  expect((await ofTool('whole', 't2.3')).out).toBe('`broken` failed: \u001b[31mno printer\n');
  expect((await ofTool('whole', 't2.4')).out).toContain('There is no tool named `nope`');
  expect(JSON.parse((await ofTool('whole', 't2.1', { json: true })).out)).toEqual([{ type: 'text', text: page }]);
  const none = await ofTool('whole', 't9.9');
  expect(none).toMatchObject({ code: 1, out: '' });
  expect(none.err).toBe('The run `whole` has no call `t9.9`: its calls are t1.1, t1.2, t2.1, t2.2, t2.3, t2.4.');
});

it('notes media, and writes them or the text to a file', async () => {
  kit.model.reset();
  kit.model.script(calls(['picture'], ['page']), text('done'));
  await (await kit.start(clerk, { id: 'media', input: 'x' })).result();
  const noted = await ofTool('media', 't1.1');
  expect(noted.out).toBe('two pictures\n');
  expect(noted.err.split('\n')).toEqual([
    '[image/png, a.png, 4 bytes] (`--out FILE` writes it)',
    '[image/png, 4 bytes] (`--out FILE` writes it)',
    '[image/jpeg, https://example.com/b.jpg]',
  ]);
  const file = join(dir, 'p.png');
  expect(await ofTool('media', 't1.1', { out: file })).toMatchObject({ code: 0, out: 'two pictures\n' });
  for (const name of ['p.png', 'p-2.png']) expect(readFileSync(join(dir, name)).toString('base64')).toBe(PNG);
  await ofTool('media', 't1.2', { out: join(dir, 'page.txt') });
  expect(readFileSync(join(dir, 'page.txt'), 'utf8')).toBe(page);
});

it('says that there is no such run', async () => {
  const unknown = { type: 'RunNotFound', message: expect.stringContaining('no run `nowhere`') };
  await expect(linesOf('nowhere')).rejects.toMatchObject(unknown);
  await expect(ofTool('nowhere', 't1.1')).rejects.toMatchObject(unknown);
});

it('without a worker, shows what Temporal knows, and still the result of a call', async () => {
  kit.model.reset();
  kit.model.script(calls(['page']), text('done'));
  await (await kit.start(clerk, { id: 'alone', input: 'x' })).result();
  await kit.stopWorker();
  try {
    const short = { workerTimeout: 500 };
    const view = await viewRun(kit.client.temporal, 'alone', short);
    expect(view.run).toBeUndefined();
    const shown = runLines(view, false).join('\n');
    expect(shown).toMatch(/^status +completed, from /m);
    expect(shown).toMatch(
      /^✗ (No worker polls the task queue `holdfast-test`|The workers? .* busy since .*, or ended then)[.:] .*`--tool`/m,
    );
    expect((await ofTool('alone', 't1.1')).out).toBe(`${page}\n`);
    const said: string[] = [];
    const sinks = { out: () => undefined, err: (line: string) => said.push(line) };
    expect(await showTool(new RunHandle(kit.client.temporal, 'alone', short), 't1.9', { json: false }, sinks)).toBe(1);
    expect(said.join()).toMatch(/has no result of `t1\.9`, and no worker answers/);
  } finally {
    await kit.startWorker();
  }
});

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineAgent } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import { newFolder, published } from '../activities/mcp/servers';
import { factsOf } from '../facts';
import { openDesk } from './desk';

const folder = newFolder();
const note = join(folder, 'note.txt');
writeFileSync(note, 'hello');
const files = published('filesystem', [folder], { approval: 'hints' });
const agent = (name: string, trusted: boolean, more: object = {}) =>
  defineAgent({ name, instructions: 'files', mcp: { files: { ...files, trusted } }, ...more });
const trusted = agent('test.trusted', true);
const strange = agent('test.strange', false);
const loosened = agent('test.loosened', false, { policies: { 'files.read_text_file': { approval: 'never' } } });
const desk = openDesk({ agents: [trusted, strange, loosened] });

test('for a trusted server with hints, calls that it names harmful wait and the rest run', async () => {
  const path = join(folder, 'new.txt');
  const run = await desk.start(trusted, [
    calls(['files_read_text_file', { path: note }], ['files_write_file', { path, content: 'x' }]),
    text('done'),
  ]);
  const {
    approvals: [ask, ...others],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(ask).toMatchObject({ tool: 'files.write_file', toolUseId: 't1.2' });
  expect(others).toEqual([]);
  await expect(run.edit(ask, { by: 'ann', input: { path: 7, content: 'x' } })).rejects.toMatchObject({
    type: 'InvalidEdit',
    data: { tool: 'files.write_file' },
  });
  expect(existsSync(path)).toBe(false);
  await run.edit(ask, { by: 'ann', input: { path, content: 'y' } });
  expect(await desk.end(run)).toBe('done');
  expect(existsSync(path)).toBe(true);
  expect(await factsOf(run, 'approval.requested')).toHaveLength(1);
});

test('every call to an untrusted server waits', async () => {
  const run = await desk.start(strange, [call('files_read_text_file', { path: note }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.deny(ask, { by: 'ann' });
  await desk.end(run);
  expect(desk.told()).not.toContain('hello');
});

test('calls to an untrusted server run without a decision where the policies of the agent allow it', async () => {
  const run = await desk.start(loosened, [call('files_read_text_file', { path: note }), text('done')]);
  await desk.end(run);
  expect(desk.told()).toContain('hello');
  expect(await factsOf(run, 'approval.requested')).toEqual([]);
});

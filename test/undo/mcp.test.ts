import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineAgent } from 'holdfast';
import { call, text } from 'holdfast/testing';
import { newFolder, published } from '../activities/mcp/servers';
import { openDesk } from '../approvals/desk';

const folder = newFolder();
const old = join(folder, 'old.txt');
const fresh = join(folder, 'new.txt');
const agent = defineAgent({
  name: 'test.mover',
  instructions: 'files',
  mcp: { files: published('filesystem', [folder]) },
  policies: {
    'files.move_file': {
      undo: ({ source = '', destination = '' }) => ({
        tool: 'files.move_file',
        input: { source: destination, destination: source },
      }),
    },
    'files.read_text_file': { effect: 'read', approval: 'always' },
  },
});
const desk = openDesk({ agents: [agent] }, 'still');

test("a file that an MCP server moved is moved back, and the model reads the server's answer", async () => {
  writeFileSync(old, 'hello');
  const run = await desk.start(agent, [
    call('files_move_file', { source: old, destination: fresh }),
    call('files_read_text_file', { path: old }),
    text('moved'),
  ]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
  const { undone } = await run.undo(1, { by: 'ann' });
  expect(undone).toMatchObject([{ tool: 'files.move_file', text: expect.stringContaining('Successfully moved') }]);
  expect([existsSync(old), existsSync(fresh)]).toEqual([true, false]);
  await run.approve(ask, { by: 'ann' });
  expect(await desk.end(run)).toBe('moved');
  expect(desk.told()).toContain('The person undid t1.1 `files_move_file`');
});

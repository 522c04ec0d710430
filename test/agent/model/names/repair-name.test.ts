import fc from 'fast-check';
import { repairName } from '../../../../agent/model/names/repair-name';
import { toolSpec } from '../../../workflows/state-data';

const mcp = (name: string, more = {}) => toolSpec(name, { kind: 'mcp', ...more } as never);
const read = { effect: 'read' } as const;
const TOOLS = [
  mcp('files.read_file', read),
  mcp('files.move_file'),
  mcp('github.delete_file'),
  mcp('github.search', read),
  mcp('wiki.search', read),
  toolSpec('lookup_order', read),
  toolSpec('cancel_order'),
  toolSpec('approved_read', { ...read, approval: { policy: 'always' } as never }),
];

/** What the model wrote, the tool that it is taken for, and how. */
const MEANT: readonly [string, string, string][] = [
  ['files.read_file', 'files.read_file', 'unprefixed'],
  ['read_file', 'files.read_file', 'unprefixed'],
  ['ReadFile', 'files.read_file', 'unprefixed'],
  ['move_file', 'files.move_file', 'unprefixed'],
  ['moveFile', 'files.move_file', 'unprefixed'],
  ['functions.move_file', 'files.move_file', 'unprefixed'],
  ['default_api:files_move_file', 'files.move_file', 'unprefixed'],
  ['tools/lookup-order', 'lookup_order', 'unprefixed'],
  ['mv', 'files.move_file', 'alias'],
  ['functions.mv', 'files.move_file', 'alias'],
  ['lookup_ordr', 'lookup_order', 'similar'],
  ['reed_file', 'files.read_file', 'similar'],
];

/** Names that stay unknown. */
const UNKNOWN: readonly string[] = [
  // The tool of another server.
  'files_delete_file',
  'gitlab_move_file',
  // Two tools have this name.
  'search',
  // A tool with an effect, or one that a person approves, must not run by mistake.
  'mve_file',
  'cancel_ordr',
  'aproved_read',
  'lookup',
  'order',
  '',
  '_',
  'functions.',
  'constructor',
  '__proto__',
];

const ALIASES = { aliases: { mv: 'files.move_file', gone: 'no.such' } };

test.each(MEANT)('%p is taken for %p (%p)', (name, tool, how) => {
  const found = repairName(name, TOOLS, ALIASES);
  expect(found?.tool.name).toBe(tool);
  expect(found?.repair).toEqual({ from: name, how });
});

test.each(UNKNOWN)('%p stays unknown', (name) => {
  expect(repairName(name, TOOLS, ALIASES)).toBeUndefined();
});

test('an exact name comes first, and is not a repair', () => {
  expect(repairName('files_read_file', TOOLS, { aliases: { files_read_file: 'files.move_file' } })).toEqual({
    tool: TOOLS[0],
  });
});

test('an alias of a tool that a server no longer has names nothing', () => {
  expect(repairName('gone', TOOLS, ALIASES)).toBeUndefined();
});

test('two tools that are equally near make a name ambiguous, even if only one of them reads', () => {
  const tools = [toolSpec('get_user', read), toolSpec('set_user')];
  expect(repairName('net_user', tools, {})).toBeUndefined();
  expect(repairName('net_user', tools.slice(0, 1), {})?.tool.name).toBe('get_user');
});

test('no name throws, and what has an effect is only taken for what differs in case, separators and prefix', () => {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z_.]{0,20}(move|read|cancel)_?(file|order)$/)), (name) => {
      const found = repairName(name, TOOLS, {});
      if (found === undefined || found.tool.effect === 'read') return;
      const own = found.tool.name.slice(found.tool.name.indexOf('.') + 1);
      expect(letters(name).endsWith(letters(own))).toBe(true);
    }),
  );
});

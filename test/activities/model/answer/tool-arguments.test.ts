import { callPiece } from '../../../../activities/model/adapters/chat/chat-parts';
import { CallDrafts } from '../../../../activities/model/answer/call-drafts';
import { parseArguments } from '../../../../activities/model/answer/tool-arguments';
import type { JsonObject } from '../../../../agent/values/json';

describe('arguments', () => {
  test.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['nothing', '', {}],
    ['white space', ' \n', {}],
    ['null', 'null', {}],
    ['a missing bracket', '{"a": [1, 2', { a: [1, 2] }],
    ['single quotes and a trailing comma', "{'a': 'x',}", { a: 'x' }],
    ['a code fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['JSON inside a string', '"{\\"a\\":1}"', { a: 1 }],
  ])('%s', (_, raw, input) => {
    expect(parseArguments(raw)).toEqual({ input });
  });

  test.each([
    ['a list', '[1]'],
    ['a number', '7'],
    ['prose', 'please search for cats'],
  ])('%s is not an object: the problem shows it', (_, raw) => {
    expect(parseArguments(raw)).toEqual({
      input: {},
      problem: { type: 'InvalidJson', message: `The arguments are not a JSON object: ${raw}` },
    });
  });

  test('the excerpt is short and one line', () => {
    const message = parseArguments(`say\n${'x'.repeat(10_000)}`).problem?.message ?? '';
    expect(message).toContain('say xxx');
    expect(message.length).toBeLessThan(300);
  });
});

describe('pieces of calls', () => {
  const fn = (name: string | undefined, args: string | undefined): JsonObject => ({
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { arguments: args }),
  });
  const plan = (drafts: CallDrafts, piece: JsonObject, chunk?: number) => drafts.plan(callPiece(piece), chunk);
  const add = (drafts: CallDrafts, piece: JsonObject) => drafts.take(plan(drafts, piece));
  const A = { id: 'a', name: 'x', arguments: '{"n":1}' };
  const B = { id: 'b', name: 'y', arguments: '{"n":2}' };

  test.each<[string, JsonObject[], object[]]>([
    [
      'counted indexes, pieces mixed',
      [
        { index: 0, id: 'a', function: fn('x', '') },
        { index: 1, id: 'b', function: fn('y', '{"n"') },
        { index: 0, function: fn(undefined, '{"n":1}') },
        { index: 1, function: fn(undefined, ':2}') },
      ],
      [A, B],
    ],
    [
      'index 0 again with a new id',
      [
        { index: 0, id: 'a', function: fn('x', '{"n":1}') },
        { index: 0, id: 'b', function: fn('y', '{"n"') },
        { index: 0, function: fn(undefined, ':2}') },
      ],
      [A, B],
    ],
    [
      'index 0 again without ids, whole calls of the same tool',
      [
        { index: 0, function: fn('x', '{"n":1}') },
        { index: 0, function: fn('x', '{"n":2}') },
      ],
      [
        { id: '', name: 'x', arguments: '{"n":1}' },
        { id: '', name: 'x', arguments: '{"n":2}' },
      ],
    ],
    [
      'no index, ids',
      [
        { id: 'a', function: fn('x', '{"n"') },
        { function: fn(undefined, ':1}') },
        { id: 'b', function: fn('y', '{"n":2}') },
      ],
      [A, B],
    ],
    [
      'no index, pieces told apart by id',
      [
        { id: 'a', function: fn('x', '{"n"') },
        { id: 'b', function: fn('y', '{"n"') },
        { id: 'a', function: fn(undefined, ':1}') },
        { id: 'b', function: fn(undefined, ':2}') },
      ],
      [A, B],
    ],
    [
      'no index and no ids, whole calls',
      [{ function: fn('x', '{}') }, { function: fn('y', '{}') }],
      [
        { id: '', name: 'x', arguments: '{}' },
        { id: '', name: 'y', arguments: '{}' },
      ],
    ],
    [
      'id and name in every piece',
      [
        { index: 0, id: 'a', function: fn('x', '{"n"') },
        { index: 0, id: 'a', function: fn('x', ':1}') },
        { index: 0, id: 'a', function: fn('x', '') },
      ],
      [A],
    ],
    [
      'the same id for two calls',
      [
        { index: 0, id: 'a', function: fn('x', '{"n":1}') },
        { index: 1, id: 'a', function: fn('y', '{"n":2}') },
      ],
      [A, { ...B, id: 'a' }],
    ],
    [
      'a name that is cut',
      [
        { index: 0, id: 'a', function: fn('read_', '') },
        { index: 0, function: fn('file', '') },
        { index: 0, function: fn(undefined, '{}') },
      ],
      [{ id: 'a', name: 'read_file', arguments: '{}' }],
    ],
    [
      'a name that is cut, with the first arguments',
      [
        { index: 0, function: fn('re', undefined) },
        { function: fn('ad_', '') },
        { index: 0, function: fn('file', '{}') },
      ],
      [{ id: '', name: 'read_file', arguments: '{}' }],
    ],
    [
      'a name that is longer with each piece, and then repeated',
      [
        { index: 0, id: 'a', function: fn('read_', '') },
        { index: 0, id: 'a', function: fn('read_file', '') },
        { index: 0, id: 'a', function: fn('read_file', '{') },
        { index: 0, id: 'a', function: fn('read_file', '}') },
      ],
      [{ id: 'a', name: 'read_file', arguments: '{}' }],
    ],
    [
      'a cut name of each of two calls, pieces mixed',
      [
        { index: 0, id: 'a', function: fn('read_', '') },
        { index: 1, id: 'b', function: fn('write_', '') },
        { index: 0, function: fn('file', '') },
        { index: 1, function: fn('file', '{}') },
      ],
      [
        { id: 'a', name: 'read_file', arguments: '' },
        { id: 'b', name: 'write_file', arguments: '{}' },
      ],
    ],
    [
      'a new id is a new call, whatever its name',
      [
        { index: 0, id: 'a', function: fn('read_', '') },
        { index: 0, id: 'b', function: fn('file', '') },
      ],
      [
        { id: 'a', name: 'read_', arguments: '' },
        { id: 'b', name: 'file', arguments: '' },
      ],
    ],
    [
      'another name after arguments is another call',
      [
        { index: 0, function: fn('read_', '{}') },
        { index: 0, function: fn('file', '') },
      ],
      [
        { id: '', name: 'read_', arguments: '{}' },
        { id: '', name: 'file', arguments: '' },
      ],
    ],
    [
      'braces and quotes in a text do not make arguments whole',
      [
        { index: 0, function: fn('x', '{"n":"}') },
        { index: 0, function: fn('x', '\\') },
        { index: 0, function: fn('x', '"}{') },
        { index: 0, function: fn('x', '"}') },
      ],
      [{ id: '', name: 'x', arguments: '{"n":"}\\"}{"}' }],
    ],
    ['arguments as an object', [{ index: 0, id: 'a', function: { name: 'x', arguments: { n: 1 } } }], [A]],
  ])('%s', (_, pieces, expected) => {
    const drafts = new CallDrafts();
    for (const piece of pieces) add(drafts, piece);
    expect(drafts.list.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }))).toEqual(expected);
  });

  test.each<[string, string[], string[], string[]]>([
    ['of two tools without parameters', ['read', 'list'], ['read', 'list'], ['read', 'list']],
    [
      'of two tools, one of which begins as the other',
      ['read', 'read_file'],
      ['read', 'read_file'],
      ['read', 'read_file'],
    ],
    ['of a tool that begins as another', ['read', 'read_file'], ['read', '_file'], ['read_file']],
    ['that is the same half twice', ['haha'], ['ha', 'ha'], ['haha']],
    ['that is repeated, though twice as much is a tool too', ['ha', 'haha'], ['ha', 'ha'], ['ha']],
    ['that ends as another tool is called', ['read_file', 'file'], ['read_', 'file'], ['read_file']],
    ['of a tool after one that does not exist', ['read_file'], ['nonsense', 'read_file'], ['nonsense', 'read_file']],
    ['in single characters', ['abba'], [...'abba'], ['abba']],
  ])('names %s: the tools tell what is meant', (_, tools, pieces, expected) => {
    const drafts = new CallDrafts(tools);
    for (const name of pieces) add(drafts, { index: 0, function: { name, arguments: '' } });
    expect(drafts.list.map(({ name }) => name)).toEqual(expected);
  });

  test('two names in one list are two calls', () => {
    const drafts = new CallDrafts(['read_file']);
    for (const name of ['read_', 'file']) drafts.take(plan(drafts, { function: { name } }, 1));
    expect(drafts.list.map(({ name }) => name)).toEqual(['read_', 'file']);
  });

  test('unknown fields of a call are kept', () => {
    const drafts = new CallDrafts();
    add(drafts, { index: 0, id: 'a', type: 'function', function: fn('x', ''), extra_content: { google: 1 } });
    add(drafts, { index: 0, function: fn(undefined, '{}'), extra_content: { more: 2 } });
    expect(drafts.list[0]?.fields).toEqual({ extra_content: { google: 1, more: 2 } });
  });

  test('each piece is published with its place, its name and the new text', () => {
    const drafts = new CallDrafts();
    add(drafts, { index: 3, id: 'a', function: fn('x', '{') });
    expect(add(drafts, { index: 3, function: fn(undefined, '}') })).toEqual({ index: 0, name: 'x', arguments: '}' });
  });
});

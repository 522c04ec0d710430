import { CallDrafts } from '../../../activities/model/call-drafts';
import { parseArguments } from '../../../activities/model/tool-arguments';
import type { JsonObject } from '../../../agent/json';

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
  ])('%s is no object: the problem shows it', (_, raw) => {
    expect(parseArguments(raw)).toEqual({
      input: {},
      problem: { type: 'InvalidJson', message: `The arguments are no JSON object: ${raw}` },
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
    ['arguments as an object', [{ index: 0, id: 'a', function: { name: 'x', arguments: { n: 1 } } }], [A]],
  ])('%s', (_, pieces, expected) => {
    const drafts = new CallDrafts();
    for (const piece of pieces) drafts.add(piece);
    expect(drafts.list.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }))).toEqual(expected);
  });

  test('unknown fields of a call are kept', () => {
    const drafts = new CallDrafts();
    drafts.add({ index: 0, id: 'a', type: 'function', function: fn('x', ''), extra_content: { google: 1 } });
    drafts.add({ index: 0, function: fn(undefined, '{}'), extra_content: { more: 2 } });
    expect(drafts.list[0]?.fields).toEqual({ extra_content: { google: 1, more: 2 } });
  });

  test('each piece is told with its place, its name and what came new', () => {
    const drafts = new CallDrafts();
    drafts.add({ index: 3, id: 'a', function: fn('x', '{') });
    expect(drafts.add({ index: 3, function: fn(undefined, '}') })).toEqual({ index: 0, name: 'x', arguments: '}' });
  });
});

import { COMMANDS, countOf, helpLines, parseInput, undoOf } from '../../../cli/chat/input';

test.each([
  ['', { type: 'nothing' }],
  ['  \n', { type: 'nothing' }],
  [' Hello /you ', { type: 'message', text: 'Hello /you' }],
  ['two\nlines', { type: 'message', text: 'two\nlines' }],
  ['//etc is full', { type: 'message', text: '/etc is full' }],
  ['/undo', { type: 'command', name: 'undo', rest: '' }],
  ['/UNDO 2', { type: 'command', name: 'undo', rest: '2' }],
  ['/steer  be brief\nplease', { type: 'command', name: 'steer', rest: 'be brief\nplease' }],
])('parses %j', (typed, read) => {
  expect(parseInput(typed)).toEqual(read);
});

test('an unknown command is reported with similar ones', () => {
  expect(parseInput('/budegt')).toEqual({
    type: 'problem',
    text: 'There is no command /budegt; did you mean /budget? A message that begins with a slash needs two.',
  });
  expect(parseInput('/xxxxxxxxxxxx')).toMatchObject({ text: expect.stringContaining('/help lists the commands') });
  expect(parseInput('/toString')).toMatchObject({ type: 'problem' });
});

test('a command without its argument says what it needs', () => {
  expect(parseInput('/rename ')).toEqual({
    type: 'problem',
    text: '/rename needs an argument: /rename <title>',
  });
});

test('what is undone is a number of calls, or one call', () => {
  expect([undoOf(''), undoOf('3'), undoOf('t3.1')]).toEqual([1, 3, { toolUseId: 't3.1' }]);
  expect(undoOf('refund')).toEqual({
    problem: 'Expected a whole number from 1, or a call, such as `t3.1`, got `refund`.',
  });
});

test('counts are whole numbers from 1', () => {
  expect([countOf('', 7), countOf('3', 7)]).toEqual([7, 3]);
  for (const wrong of ['0', '-1', '1.5', 'x', '1e3', '9999999']) {
    expect(countOf(wrong, 1)).toEqual({ problem: `Expected a whole number from 1, got \`${wrong}\`.` });
  }
});

test('the help names every command', () => {
  const text = helpLines().join('\n');
  for (const name of Object.keys(COMMANDS)) expect(text).toContain(`/${name}`);
});

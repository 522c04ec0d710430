import { ask, start, TOOLS } from './desk';
import { done, LISTED, list, move, read, SHOT, transcript } from './steps';

test('it starts by listing the folder', () => {
  expect(ask(start())).toEqual({ text: 'First I look at what is in the folder.', calls: [list] });
});

test.each([
  [7, 3],
  [4, 2],
  [3, 3],
  [2, 2],
  [1, 1],
])('of %i unread screenshots it reads %i at once', (there, atOnce) => {
  const names = Array.from({ length: there }, (_, i) => SHOT(i));
  const { calls, text } = ask(transcript([LISTED(...[...names].reverse())]));
  expect(calls).toEqual(names.slice(0, atOnce).map(read));
  expect(text).toMatch(/^Reading the first (one|two|three)…$/);
});

test('it renames all files that it has read before it reads on', () => {
  const messages = transcript(
    [LISTED(SHOT(1), SHOT(2), SHOT(3))],
    [
      [read(SHOT(1)), 'Meeting Notes\nToday'],
      [read(SHOT(2)), 'Meeting Notes\nYesterday'],
    ],
  );
  expect(ask(messages).calls).toEqual([move(SHOT(1), 'Meeting_Notes.png'), move(SHOT(2), 'Meeting_Notes_2.png')]);
});

test('a file that cannot be read keeps its name, and the answer says why', () => {
  const messages = transcript([LISTED(SHOT(1))], [[read(SHOT(1)), `Cannot read ${SHOT(1)}: the picture is damaged`]]);
  expect(done(ask(messages))).toEqual({
    renamed: [],
    skipped: [{ file: SHOT(1), reason: `Cannot read ${SHOT(1)}: the picture is damaged` }],
  });
});

test.each([
  `\`${TOOLS.read}\` gave no result: its worker died or stopped answering.`,
  'The MCP server `ocr` ended before the call reached it: exited with code 1',
  '`ocr.extract_text_from_image` did not answer within 60 s.',
  'The MCP server `ocr` did not start (exited with code 1). Its command is `node`: run it by hand to see why.',
  '(empty result)',
])('a failed call is not a text: after "%s" it reads again, three times in total', (problem) => {
  const failed: [ReturnType<typeof read>, string][] = [[read(SHOT(1)), problem]];
  expect(ask(transcript([LISTED(SHOT(1))], failed)).calls).toEqual([read(SHOT(1))]);
  expect(done(ask(transcript([LISTED(SHOT(1))], failed, failed, failed)))).toEqual({
    renamed: [],
    skipped: [{ file: SHOT(1), reason: problem }],
  });
});

test('a picture without a title keeps its name', () => {
  const messages = transcript([LISTED(SHOT(1))], [[read(SHOT(1)), '12 | 7\n@']]);
  expect(done(ask(messages))).toEqual({
    renamed: [],
    skipped: [{ file: SHOT(1), reason: 'It shows no text that makes a name' }],
  });
});

test('files with given names stay as they are; files other than pictures are not mentioned', () => {
  expect(done(ask(transcript([LISTED('Meeting_Notes.png', 'todo.txt')])))).toEqual({
    renamed: [],
    skipped: [{ file: 'Meeting_Notes.png', reason: 'It has a name already' }],
  });
});

test('an empty folder is finished', () => {
  expect(done(ask(transcript([[list, '(empty result)']])))).toEqual({ renamed: [], skipped: [] });
});

test('when no calls are left it concludes with what it knows', () => {
  const reply = ask(transcript([LISTED(SHOT(1))]), { tool_choice: 'none' });
  expect(reply.calls).toBeUndefined();
  expect(done(reply)).toEqual({
    renamed: [],
    skipped: [{ file: SHOT(1), reason: 'There was no call left for it' }],
  });
});

test('it understands messages whose content is a list of parts', () => {
  const messages = transcript([LISTED(SHOT(1))], [[read(SHOT(1)), 'Meeting Notes\nToday']]).map((message) => ({
    ...message,
    content: typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : null,
  }));
  expect(ask(messages).calls).toEqual([move(SHOT(1), 'Meeting_Notes.png')]);
});

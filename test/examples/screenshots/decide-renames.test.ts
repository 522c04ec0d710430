import { ask } from './desk';
import { at, done, LISTED, list, move, read, SHOT, transcript, UNKNOWN } from './steps';

test('if the name exists it takes another', () => {
  const messages = transcript(
    [LISTED(SHOT(1))],
    [[read(SHOT(1)), 'Meeting Notes']],
    [[move(SHOT(1), 'Meeting_Notes.png'), `Destination already exists: ${at('Meeting_Notes.png')}`]],
  );
  expect(ask(messages).calls).toEqual([move(SHOT(1), 'Meeting_Notes_2.png')]);
});

test.each([
  UNKNOWN,
  'ENOENT: no such file or directory',
  'The MCP server `files` ended during the call: was ended by SIGKILL',
])('after "%s" it lists the folder before anything else', (result) => {
  const messages = transcript(
    [LISTED(SHOT(1), SHOT(2))],
    [[read(SHOT(1)), 'Meeting Notes']],
    [[move(SHOT(1), 'Meeting_Notes.png'), result]],
  );
  expect(ask(messages).calls).toEqual([list]);
});

test('a rename of unknown outcome counts if the folder shows it', () => {
  const messages = transcript(
    [LISTED(SHOT(1))],
    [[read(SHOT(1)), 'Meeting Notes']],
    [[move(SHOT(1), 'Meeting_Notes.png'), UNKNOWN]],
    [LISTED('Meeting_Notes.png')],
  );
  expect(done(ask(messages))).toEqual({ renamed: [{ from: SHOT(1), to: 'Meeting_Notes.png' }], skipped: [] });
});

test('a rename that turns out not to have happened is made with another name, since the same call is refused', () => {
  const messages = transcript(
    [LISTED(SHOT(1))],
    [[read(SHOT(1)), 'Meeting Notes']],
    [[move(SHOT(1), 'Meeting_Notes.png'), UNKNOWN]],
    [LISTED(SHOT(1))],
  );
  expect(ask(messages).calls).toEqual([move(SHOT(1), 'Meeting_Notes_2.png')]);
});

test('while an outcome is unknown and the folder cannot be listed, the file is left alone', () => {
  const failed: [typeof list, string][] = [[list, 'Access denied']];
  const messages = transcript(
    [LISTED(SHOT(1))],
    [[read(SHOT(1)), 'Meeting Notes']],
    [[move(SHOT(1), 'Meeting_Notes.png'), UNKNOWN]],
    failed,
    failed,
    failed,
  );
  expect(done(ask(messages))).toEqual({
    renamed: [],
    skipped: [
      { file: SHOT(1), reason: 'It is unknown whether its rename took effect' },
      { file: '.', reason: 'Access denied' },
    ],
  });
});

import type { ReplyCall } from 'holdfast/testing';
import { screenshots } from '../../../examples/screenshots/agents';
import { ask, Desk, start, TOOLS, work } from './desk';
import { EXPECTED } from './expected-names';

const TEXTS = Object.fromEntries(
  Object.entries(EXPECTED).map(([from, to]) => [from, `${to.slice(0, -4).replaceAll('_', ' ')}\nand more words`]),
);
const NEW_NAMES = Object.values(EXPECTED).sort();
const RENAMED = Object.entries(EXPECTED).map(([from, to]) => ({ from, to }));
const UNKNOWN = `It is unknown whether \`${TOOLS.move}\` took effect: its worker died or stopped answering.`;
const moves = (desk: Desk) => desk.calls.filter(({ name }) => name === TOOLS.move);

/** Replaces the nth call of a tool. */
const nth = (tool: string, n: number, answer: (call: ReplyCall, desk: Desk) => string | undefined) => {
  let count = 0;
  return (call: ReplyCall, desk: Desk) => (call.name === tool && ++count === n ? answer(call, desk) : undefined);
};

test('seven screenshots are renamed with seven reads and seven renames, and the answer fits the output schema', async () => {
  const desk = new Desk(TEXTS);
  const messages = start();
  const output: unknown = JSON.parse(work(desk, messages) ?? '');
  expect(output).toEqual({ renamed: RENAMED, skipped: [] });
  expect([...desk.files].sort()).toEqual(NEW_NAMES);
  expect(desk.calls).toHaveLength(1 + 7 + 7);
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(1 + 3 * 2 + 1);
  const checked = await screenshots.definition.outputSchema?.['~standard'].validate(output);
  expect(checked).toEqual({ value: output });
});

test.each([1, 2, 3, 4, 5, 6, 7])('a run that stops after %i answers continues where it was', (turns) => {
  const desk = new Desk(TEXTS);
  const messages = start();
  expect(work(desk, messages, turns)).toBeUndefined();
  const restored = JSON.parse(JSON.stringify(messages)) as typeof messages;
  expect(JSON.parse(work(desk, restored) ?? '')).toEqual({ renamed: RENAMED, skipped: [] });
  expect(desk.calls).toHaveLength(15);
});

test.each([1, 2, 3, 4, 5, 6, 7])('a new run on a folder that was left after %i answers does the rest', (turns) => {
  const desk = new Desk(TEXTS);
  work(desk, start(), turns);
  const before = [...desk.files].filter((name) => NEW_NAMES.includes(name)).sort();
  const output = JSON.parse(work(desk) ?? '') as { renamed: unknown[]; skipped: unknown[] };
  expect([...desk.files].sort()).toEqual(NEW_NAMES);
  expect(output.renamed).toEqual(RENAMED.filter(({ to }) => !before.includes(to)));
  expect(output.skipped).toEqual(before.map((file) => ({ file, reason: 'It has a name already' })));
  expect(moves(desk)).toHaveLength(7);
});

test('an answer that was lost before its calls ran is given again', () => {
  const desk = new Desk(TEXTS);
  const messages = start();
  work(desk, messages, 3);
  expect(ask(messages)).toEqual(ask(messages));
});

test.each([1, 4, 7])('rename %i is made once if its outcome gets lost after it took effect', (n) => {
  const desk = new Desk(
    TEXTS,
    [],
    nth(TOOLS.move, n, ({ arguments: args }, self) => {
      const { source = '', destination = '' } = args as { [name: string]: string };
      self.move(source, destination);
      return UNKNOWN;
    }),
  );
  const output = JSON.parse(work(desk) ?? '') as { renamed: { from: string }[]; skipped: unknown[] };
  expect(output.renamed.sort((a, b) => (a.from < b.from ? -1 : 1))).toEqual(RENAMED);
  expect(output.skipped).toEqual([]);
  expect(moves(desk)).toHaveLength(7);
});

test.each([1, 4, 7])('rename %i gets another name if its outcome gets lost before it took effect', (n) => {
  const desk = new Desk(
    TEXTS,
    [],
    nth(TOOLS.move, n, () => UNKNOWN),
  );
  const output = JSON.parse(work(desk) ?? '') as { renamed: unknown[]; skipped: unknown[] };
  expect(output.renamed).toHaveLength(7);
  expect([...desk.files].filter((name) => name.endsWith('_2.png'))).toHaveLength(1);
  expect(new Set(moves(desk).map((call) => JSON.stringify(call))).size).toBe(8);
});

test('a name that exists already is never overwritten', () => {
  const desk = new Desk(TEXTS, ['Meeting_Notes.png']);
  const output = JSON.parse(work(desk) ?? '') as { renamed: { to: string }[] };
  expect(output.renamed.map(({ to }) => to)).toContain('Meeting_Notes_2.png');
  expect(desk.files.size).toBe(8);
});

test('an unreadable file and one that cannot be renamed are skipped, the others are renamed', () => {
  const [damaged, locked] = Object.keys(EXPECTED) as [string, string];
  const desk = new Desk(TEXTS, [], (call) => {
    const args = JSON.stringify(call.arguments);
    if (call.name === TOOLS.read && args.includes(damaged)) return `Cannot read ${damaged}: the picture is damaged`;
    return call.name === TOOLS.move && args.includes(locked) ? 'EACCES: permission denied' : undefined;
  });
  const output = JSON.parse(work(desk) ?? '') as { renamed: unknown[]; skipped: unknown[] };
  expect(output.renamed).toEqual(RENAMED.slice(2));
  expect(output.skipped).toEqual([
    { file: damaged, reason: `Cannot read ${damaged}: the picture is damaged` },
    { file: locked, reason: 'EACCES: permission denied' },
  ]);
});

test.each(Object.values(TOOLS))('when %s always fails, the work ends within the limit of the agent', (broken) => {
  const desk = new Desk(TEXTS, [], ({ name }) => (name === broken ? `The MCP server \`${broken}\` is ill` : undefined));
  const answer = work(desk, start(), screenshots.definition.limits?.maxToolInteractions);
  const output = JSON.parse(answer ?? '') as { renamed: unknown[]; skipped: { reason: string }[] };
  expect(output.renamed).toEqual([]);
  expect(new Set(output.skipped.map(({ reason }) => reason))).toEqual(new Set([`The MCP server \`${broken}\` is ill`]));
  expect([...desk.files].sort()).toEqual(Object.keys(EXPECTED));
});

test('a correction that the agent asks for gets the same answer again', () => {
  const desk = new Desk(TEXTS);
  const messages = start();
  const answer = work(desk, messages);
  messages.push({ role: 'user', content: 'The output does not fit.' });
  expect(ask(messages)).toEqual({ text: answer });
});

import { Rankers } from '../../activities/tool-filter/rankers';
import { wholeText } from '../../agent/tool-filter/tool-text';
import { manyTools, TASKS, TOOLS } from '../../bench/tools/corpus';
import { tasksFound } from '../../bench/tools/tasks-found';

const rankers = new Rankers({}, { warn() {} });

test('the corpus has 100 tools with different names, and 60 tasks for tools that exist', () => {
  expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(100);
  expect(TASKS).toHaveLength(60);
  const names = new Set(TOOLS.map(({ name }) => name));
  expect(TASKS.flatMap(({ tools }) => tools).filter((name) => !names.has(name))).toEqual([]);
  const many = manyTools(526);
  expect(new Set(many.map(wholeText)).size).toBe(526);
});

test('of 100 tools, words find that of at least 42 of 60 tasks at once, and of 58 within one search', async () => {
  expect(await tasksFound(rankers, TOOLS, 0)).toBeGreaterThanOrEqual(42);
  expect(await tasksFound(rankers, TOOLS, 1)).toBeGreaterThanOrEqual(58);
});

test('of 526 tools, words find that of at least 54 of 60 tasks within two searches', async () => {
  expect(await tasksFound(rankers, manyTools(526), 2)).toBeGreaterThanOrEqual(54);
});

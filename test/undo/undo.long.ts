import type { RunHandle } from 'holdfast/client';
import { call, calls, text } from 'holdfast/testing';
import { openDesk } from '../approvals/desk';
import { factsOf, waitForFact } from '../facts';
import { until } from '../until';
import { drawer, keys, log, reset, shut, trouble } from './drawer';

const desk = openDesk({ agents: [drawer] }, 'still');
afterEach(reset);

/** A run that has made these calls, one a turn, and now waits for a person. */
async function waiting(...made: [tool: string, name: string][]): Promise<RunHandle<string>> {
  const script = made.map(([tool, name]) => call(tool, { name }));
  const run = await desk.start(drawer, [...script, call('wait', {}), text('tidy')]);
  await run.waiting({ atLeast: { approvals: 1 } });
  log.length = 0;
  return run;
}

async function end(run: RunHandle<string>): Promise<void> {
  for (const ask of (await run.waiting()).approvals) await run.approve(ask, { by: 'ann' });
  expect(await desk.end(run)).toBe('tidy');
}

test('an effect is undone once, people and the model are told, and a second time it is refused', async () => {
  const run = await waiting(['put', 'spoon']);
  expect((await run.state()).undoable).toEqual([{ toolUseId: 't1.1', tool: 'put' }]);
  const told = { toolUseId: 't1.1', tool: 'put', text: 'took spoon out again' };
  expect(await run.undo(1, { by: 'ann' })).toEqual({ undone: [told] });
  expect(log).toEqual(['begin spoon', 'take spoon from 1']);
  expect((await run.state()).undoable).toEqual([]);
  expect((await run.state()).undone).toEqual([{ toolUseId: 't1.1', tool: 'put', by: 'ann', at: expect.any(Number) }]);
  await expect(run.undo()).rejects.toMatchObject({ type: 'NothingToUndo', data: { asked: 1, possible: 0 } });
  const again = run.undo({ toolUseId: 't1.1' });
  await expect(again).rejects.toMatchObject({ type: 'AlreadyUndone', message: expect.stringContaining('by ann') });
  await end(run);
  expect(desk.told()).toContain('The person undid t1.1 `put` {\\"name\\":\\"spoon\\"}: took spoon out again');
  expect(await factsOf(run, 'undo.done')).toMatchObject([{ toolUseId: 't1.1', name: 'put', by: 'ann' }]);
  expect(log).toEqual(['begin spoon', 'take spoon from 1']);
});

test('several effects are undone in reverse order', async () => {
  const run = await waiting(['put', 'cup'], ['put', 'fork'], ['look', ''], ['put', 'knife']);
  const { undone } = await run.undo(2);
  expect(undone.map(({ toolUseId }) => toolUseId)).toEqual(['t4.1', 't2.1']);
  expect(log.filter((line) => line.startsWith('take'))).toEqual(['take knife from 3', 'take fork from 2']);
  await expect(run.undo(2)).rejects.toMatchObject({ type: 'NothingToUndo', data: { asked: 2, possible: 1 } });
  await run.undo();
  expect(log.at(-1)).toBe('take cup from 1');
  await end(run);
});

test('no effect is undone past a call without an inverse, unless it is named', async () => {
  const run = await waiting(['put', 'cup'], ['send', ''], ['put', 'fork']);
  await expect(run.undo(2)).rejects.toMatchObject({ type: 'NotUndoable', data: { toolUseId: 't2.1', tool: 'send' } });
  expect(log).toEqual([]);
  await run.undo(1);
  await expect(run.undo(1)).rejects.toMatchObject({ type: 'NotUndoable', data: { toolUseId: 't2.1' } });
  await run.undo({ toolUseId: 't1.1' });
  expect(log.filter((line) => line.startsWith('take'))).toEqual(['take fork from 2', 'take cup from 1']);
  await end(run);
});

test('an inverse that fails stops the others, and is tried again with the same key', async () => {
  const run = await waiting(['put', 'cup'], ['put', 'fork'], ['put', 'knife']);
  await run.undo(1);
  trouble.left = 1;
  const { undone } = await run.undo(2);
  const message = '`undo of put` failed: the drawer is stuck';
  expect(undone).toEqual([{ toolUseId: 't2.1', tool: 'put', text: message, error: { type: 'ToolFailed', message } }]);
  expect((await run.state()).undoable.map(({ toolUseId }) => toolUseId)).toEqual(['t2.1', 't1.1']);
  const second = await run.undo(2);
  expect(second.undone.map(({ toolUseId, error }) => [toolUseId, error])).toEqual([
    ['t2.1', undefined],
    ['t1.1', undefined],
  ]);
  const [knife = '', stuck, fork, cup] = keys;
  const chain = knife.slice(0, knife.indexOf('/'));
  const ended = (id: string) => expect.stringMatching(`^${chain}/[0-9a-f]{32}/${id}/undo$`);
  expect([knife, stuck, fork, cup]).toEqual(['t3.1', 't2.1', 't2.1', 't1.1'].map(ended));
  expect(stuck).toBe(fork);
  await end(run);
  expect(desk.told()).toContain('it could not be undone: `undo of put` failed: the drawer is stuck');
  expect(await factsOf(run, 'undo.failed')).toMatchObject([{ toolUseId: 't2.1', error: { type: 'ToolFailed' } }]);
});

test('an inverse of unknown outcome is reported as such and not run again', async () => {
  const run = await waiting(['put', 'cup'], ['slow', '']);
  const { undone } = await run.undo();
  expect(undone).toMatchObject([{ toolUseId: 't2.1', error: { type: 'OutcomeUnknown' } }]);
  expect(await run.state()).toMatchObject({ undone: [], undoUnknown: [{ toolUseId: 't2.1', tool: 'slow' }] });
  await expect(run.undo({ toolUseId: 't2.1' })).rejects.toMatchObject({ type: 'NotUndoable' });
  await expect(run.undo()).rejects.toMatchObject({ type: 'NotUndoable', data: { toolUseId: 't2.1' } });
  await run.undo({ toolUseId: 't1.1' });
  await end(run);
  expect(desk.told()).toContain('it is unknown whether that worked');
});

test('two concurrent undo requests undo two effects, one after the other', async () => {
  const run = await waiting(['put', 'cup'], ['put', 'fork']);
  const open = shut();
  const both = [run.undo(1, { by: 'ann' }), run.undo(1, { by: 'bob' })];
  await until(() => log.length > 0, 'the first inverse');
  expect(log).toEqual(['begin fork']);
  open();
  const undone = (await Promise.all(both)).flatMap((each) => each.undone.map(({ toolUseId }) => toolUseId));
  expect(undone.sort()).toEqual(['t1.1', 't2.1']);
  expect(log).toEqual(['begin fork', 'take fork from 2', 'begin cup', 'take cup from 1']);
  await end(run);
});

test('after a failed inverse, requests by count are dropped, and a named call is undone', async () => {
  const run = await waiting(['put', 'cup'], ['put', 'fork'], ['put', 'knife']);
  const open = shut();
  trouble.left = 1;
  const first = run.undo(1);
  await until(() => log.length > 0, 'the first inverse');
  const named = run.undo({ toolUseId: 't1.1' });
  const counted = expect(run.undo(1)).rejects.toMatchObject({ type: 'NotUndoable', data: { toolUseId: 't2.1' } });
  await until(async () => (await run.state()).undoable.length === 0, 'all requests');
  open();
  expect((await first).undone).toMatchObject([{ toolUseId: 't3.1', error: { type: 'ToolFailed' } }]);
  expect((await named).undone).toMatchObject([{ toolUseId: 't1.1', text: 'took cup out again' }]);
  await counted;
  expect((await run.state()).undoable.map(({ toolUseId }) => toolUseId)).toEqual(['t3.1', 't2.1']);
  await end(run);
  expect(await factsOf(run, 'undo.left')).toMatchObject([{ toolUseId: 't2.1' }]);
});

test('a call is undone while others of its batch still wait, and with the arguments that a person set', async () => {
  const batch = calls(['put', { name: 'cup' }], ['checked', { name: 'fork' }], ['wait', {}]);
  const run = await desk.start(drawer, [batch, text('tidy')]);
  const {
    approvals: [checked],
  } = await run.waiting({ atLeast: { approvals: 2 } });
  await waitForFact(run, (one) => one.type === 'tool.result' && one.toolUseId === 't1.1');
  expect((await run.undo()).undone).toMatchObject([{ toolUseId: 't1.1' }]);
  await run.edit(checked, { by: 'ann', input: { name: 'spoon' } });
  await waitForFact(run, (one) => one.type === 'tool.result' && one.toolUseId === 't1.2');
  expect((await run.undo()).undone).toMatchObject([{ toolUseId: 't1.2', text: 'took spoon out again' }]);
  expect(log.at(-1)).toBe('take spoon from 4');
  await end(run);
});

test('a plain Temporal client undoes by signal; what cannot be undone is counted', async () => {
  const run = await waiting(['put', 'cup'], ['put', 'fork']);
  const handle = desk.kit.temporal.client.workflow.getHandle(run.id);
  await handle.signal('undo');
  await waitForFact(run, 'undo.done');
  await handle.signal('undo', { count: 'all' });
  await handle.signal('undo', { toolUseId: 't1.1' });
  await waitForFact(run, (one) => one.type === 'undo.done' && one.toolUseId === 't1.1');
  await handle.signal('undo', { toolUseId: 't1.1' });
  await waitForFact(run, (one) => one.type === 'message.ignored' && one.why === 'AlreadyUndone');
  expect((await run.state()).ignored).toEqual({ AlreadyUndone: 1, InvalidMessage: 1 });
  expect(log.filter((line) => line.startsWith('take'))).toEqual(['take fork from 2', 'take cup from 1']);
  await end(run);
  const numbers = [...(await factsOf(run, 'undo.done')), ...(await factsOf(run, 'message.ignored'))];
  const inOrder = numbers.sort((a, b) => a.seq - b.seq).map(({ type }) => type);
  expect(inOrder).toEqual(['undo.done', 'message.ignored', 'undo.done', 'message.ignored']);
});

test('a call that settles alone, while others wait, can be undone at once by signal', async () => {
  const open = shut();
  const run = await desk.start(drawer, [calls(['late', { name: 'cup' }], ['wait', {}]), text('tidy')]);
  await run.waiting({ atLeast: { approvals: 1 } });
  open();
  await waitForFact(run, 'tool.result');
  await desk.kit.temporal.client.workflow.getHandle(run.id).signal('undo');
  await waitForFact(run, 'undo.done');
  await end(run);
});

test('0, 1.5, 101 or -1 effects cannot be undone', async () => {
  const run = await waiting(['put', 'cup']);
  for (const count of [0, 1.5, 101, -1]) {
    await expect(run.undo(count)).rejects.toMatchObject({ type: 'InvalidMessage' });
  }
  await end(run);
});

test('a run does not end before an inverse has; after its end nothing is undone', async () => {
  const run = await waiting(['put', 'cup']);
  const open = shut();
  const undoing = run.undo();
  await until(() => log.length > 0, 'the inverse');
  for (const ask of (await run.waiting()).approvals) await run.approve(ask, { by: 'ann' });
  await until(async () => (await run.state()).status === 'completed', 'the end');
  open();
  expect((await undoing).undone).toMatchObject([{ toolUseId: 't1.1', text: 'took cup out again' }]);
  expect(await desk.end(run)).toBe('tidy');
  const types = (await factsOf(run)).map(({ type }) => type);
  expect(types.slice(-2)).toEqual(['undo.done', 'loop.end']);
  await expect(run.undo({ toolUseId: 't1.1' })).rejects.toMatchObject({ type: 'RunEnded' });
});

test('a cancel in the middle of an inverse ends the run, and an unknown outcome is reported', async () => {
  const run = await waiting(['put', 'cup']);
  const open = shut();
  const undoing = run.undo();
  await until(() => log.length > 0, 'the inverse');
  await run.cancel();
  expect((await undoing).undone).toMatchObject([{ toolUseId: 't1.1', error: { type: 'OutcomeUnknown' } }]);
  expect((await desk.fail(run)).type).toBe('Cancelled');
  open();
});

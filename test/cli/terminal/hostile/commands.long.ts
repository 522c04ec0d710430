import { fault, text } from 'holdfast/testing';
import { until } from '../../../until';
import { holdfastAt } from '../../at-terminal';
import { HostileStage } from './stage';
import { EVIL, expectPlain, NAME } from './texts';

let stage: HostileStage;
beforeAll(async () => {
  stage = await HostileStage.open();
});
afterAll(() => stage.close());
afterEach(() => stage.kit.model.reset());

test('every command that reads a run prints plain lines, whatever is in its id, title, owner and texts', async () => {
  const id = `read-${NAME}`;
  await stage.talked(id);
  for (const args of [
    ['show', '--run', id],
    ['show', '--run', '--json', id],
    ['export', id],
    ['export', '--full', id],
    ['show', '--json', '--tool', 't1.1', id],
    ['runs', '--json'],
  ]) {
    const { code, out } = await stage.at(...args);
    expect([args[0], code]).toEqual([args[0], 0]);
    expect(out).toMatch(/‹U\+001B›|\\u001b/);
    expectPlain(out);
  }
  // Full texts keep their line breaks, below the lines that say where they come from.
  for (const args of [
    ['show', '--run', '--full', id],
    ['export', '--format', 'md', id],
    ['show', '--tool', 't1.1', id],
  ]) {
    const { code, out } = await stage.at(...args);
    expect([args[0], code]).toEqual([args[0], 0]);
    expect(out).toContain('‹U+202E›');
    expectPlain(out, 'texts');
  }
  expect(await until(async () => (await stage.at('runs')).out.includes('evil.desk'), 'the list')).toBeUndefined();
  expectPlain((await stage.at('runs')).out);
  for (const args of [
    ['show', '--tool', `t1.1${NAME}`, id],
    ['show', '--run', `missing-${NAME}`],
    ['show', NAME],
    ['rename', id, NAME],
    ['rename', '--by', NAME, id, 'x', NAME],
    ['close', id],
    ['tail', id],
    ['tail', '--json', id],
    ['show', '--run', id],
    ['delete', id],
    ['delete', `missing-${NAME}`],
  ]) {
    const { out, err } = await stage.at(...args);
    expect(out + err).not.toBe('');
    expectPlain(out);
  }
});

test('a file gets the export unchanged, and so does a pipe', async () => {
  const id = `pipe-${NAME}`;
  await stage.talked(id);
  const args = ['--config', stage.project.config, id];
  const { out } = await holdfastAt('pipe', 'export', ...args);
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ role: 'user', content: NAME });
  expect((await holdfastAt('pipe', 'show', '--tool', 't1.1', ...args)).out).toBe(`${NAME}\n`);
  expect(JSON.parse((await holdfastAt('terminal', 'show', '--tool', 't1.1', '--json', ...args)).out)).toMatchObject([
    { text: NAME },
    { name: NAME },
  ]);
});

test('every command about waits prints plain lines, and the commands that it offers can be copied', async () => {
  const id = `wait-${NAME}`;
  await stage.waiting(id);
  const shown = await stage.at('show', '--run', id);
  expectPlain(shown.out);
  expect(shown.out).toContain('\\U0000202e');
  const inbox = await stage.at('inbox', '--json', '--run', id);
  expectPlain(inbox.out);
  expect(inbox.out.split('\n').map((line) => line && JSON.parse(line).id)).toEqual([id, id, '']);
  for (const args of [
    ['approve', '--by', `stranger${NAME}`, id, 't1.1'],
    ['approve', '--by', 'ann', id, `t7.7${NAME}`],
    ['edit', '--by', 'ann', '--input', `{${NAME}`, id, 't1.1'],
    ['edit', '--by', 'ann', '--input', `@${NAME.replaceAll('\0', '')}`, id, 't1.1'],
    ['deny', '--by', NAME, '--reason', NAME, '--remember', 'agent', id, 't1.1'],
    ['grants', 'evil.desk'],
    ['grants', '--json', 'evil.desk'],
    ['revoke', '--owner', NAME, '--key', NAME, 'evil.desk', 'pay'],
    ['revoke', `no.agent${NAME}`, NAME],
    ['answer', '--by', NAME, id, `t1.9${NAME}`, NAME],
    ['answer', '--by', NAME, id, 't1.2', NAME],
    ['complete', '--data', `{${NAME}`, id, 't1.3'],
    ['complete', '--error', NAME, id, 't1.3'],
    ['complete', '--error', NAME, id, `t1.3${NAME}`],
    ['inbox', '--run', `missing-${NAME}`],
    ['retry', `missing-${NAME}`],
  ]) {
    const { out, err } = await stage.at(...args);
    expect([args, out + err]).not.toEqual([args, '']);
    expectPlain(out);
  }
});

test('a run that is started, and its error, are plain lines too', async () => {
  stage.kit.model.script(text(NAME));
  const done = await stage.at('run', '--id', `run-${NAME}`, '--owner', NAME, 'evil.task', NAME);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('‹U+202E›')]);
  expectPlain(done.out, 'texts');
  stage.kit.model.script(fault({ kind: 'status', status: 400, message: NAME }));
  const failed = await stage.at('run', '--id', `failed-${NAME}`, 'evil.task', NAME);
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('‹U+202E›')]);
  stage.kit.model.script(text(NAME));
  const json = await stage.at('run', '--json', 'evil.task', NAME);
  expectPlain(json.out);
  expect(JSON.parse(json.out.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'result', data: NAME });
  for (const args of [
    ['run', `no.agent${NAME}`, '{'],
    ['run', 'evil.task', `@${EVIL}`],
  ]) {
    expect((await stage.at(...args)).err).toContain('‹U+202E›');
  }
});

test('descriptions of agents, servers and this machine are plain, and so are errors about arguments', async () => {
  const shown = await stage.at('show', 'evil.bad');
  expect(shown.err).toBe('');
  expect(shown.out).toContain('‹U+202E›');
  expectPlain(shown.out);
  for (const args of [['show', '--json', 'evil.bad'], ['doctor'], ['doctor', '--json']])
    expectPlain((await stage.at(...args)).out);
  stage.kit.model.script(fault({ kind: 'status', status: 400, message: NAME }));
  expectPlain((await stage.at('doctor', '--models')).out);
  const broken = stage.brokenConfig();
  for (const args of [
    [NAME],
    ['show', `--${NAME}`],
    ['dev', '--port', NAME],
    ['export', '--format', NAME, 'x'],
    ['rnu'],
    ['doctor', '--config', broken],
    ['runs', '--config', `${broken}${NAME}`],
    ['complete', NAME],
  ]) {
    const { out, err } = await holdfastAt('terminal', ...args);
    expect(out + err).not.toBe('');
    expectPlain(out + err);
  }
});

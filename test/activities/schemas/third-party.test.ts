import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeThread } from '../../../activities/schemas/job-thread';
import {
  checkThirdParty,
  coerceThirdParty,
  coerceThirdPartyReply,
  thirdPartyProblem,
} from '../../../activities/schemas/third-party';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import { RUN_TS } from '../../sources';
import { doubling, nested, times, twoPatterns } from './heavy-schemas';

afterAll(closeThread);

test('the thread gives the same verdict on a value, and changes it in the same way', async () => {
  const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#' } } };
  expect(await coerceThirdParty(schema, { n: '1', next: { n: '2' } })).toEqual({
    ok: true,
    value: { n: 1, next: { n: 2 } },
  });
  const fitting = { n: 1, next: { n: 2 } };
  const same = await coerceThirdParty(schema, fitting);
  expect(same.ok && same.value).toBe(fitting);
  expect(await checkThirdParty(schema, { next: { n: 'x' } })).toEqual({
    ok: false,
    problem: 'next.n: must be integer',
  });
  expect(await coerceThirdPartyReply(schema, '{"n": "x"}')).toMatchObject({ check: { ok: false } });
  expect(await thirdPartyProblem({ ...schema, $ref: 'https://nowhere.example/' })).toContain('cannot be compiled');
});

test.each<[string, JsonSchema, JsonObject]>([
  ['a schema that is exponential', doubling, nested(60)],
  ['patterns that are exponential', twoPatterns, nested(60)],
])('%s ends the check after a second, with what to do; the next check is done', async (_, schema, value) => {
  await checkThirdParty(doubling, {});
  const checks = Promise.all([checkThirdParty(schema, value), checkThirdParty(doubling, { z: 1 })]);
  const [late, next] = await checks;
  expect(late).toEqual({
    ok: false,
    problem:
      'The arguments could not be checked against the schema of the tool: it takes more than 1 s. The call was not ' +
      'started. Call it with smaller or simpler arguments, or do without it',
    unchecked: true,
  });
  expect(next).toEqual({ ok: true });
  expect(await coerceThirdParty(schema, value)).toMatchObject({ ok: false, unchecked: true });
  expect(await coerceThirdPartyReply(schema, value)).toMatchObject({
    value,
    check: { ok: false, problem: expect.stringContaining('it takes more than 1 s') },
  });
});

test('a second in which the machine let this process compute nothing does not count', async () => {
  await checkThirdParty(doubling, {});
  const begin = performance.now();
  const used = jest.spyOn(process, 'cpuUsage');
  used.mockImplementation(() => {
    if (performance.now() - begin > 1500) used.mockRestore();
    return { user: 0, system: 0 };
  });
  expect(await checkThirdParty(doubling, nested(60))).toMatchObject({ ok: false, unchecked: true });
  expect(performance.now() - begin).toBeGreaterThan(1500);
});

test('errors that fill the memory of the thread end it, and nothing else', async () => {
  const wide: JsonSchema = {
    type: 'array',
    items: { $ref: '#/$defs/a' },
    $defs: { a: { allOf: times(1000, () => ({ type: 'null' })) } },
  };
  const checked = await checkThirdParty(wide, times(200_000, () => 1) as never);
  expect(checked).toMatchObject({ ok: false, problem: expect.stringContaining('it takes more than ') });
  expect(await checkThirdParty(doubling, { z: 1 })).toEqual({ ok: true });
});

test('a value that cannot be sent to the thread is a problem of that job, and the next job is done', async () => {
  const odd = { z: () => 1 } as never;
  expect(await checkThirdParty(doubling, odd)).toMatchObject({ ok: false, problem: expect.stringContaining('handed') });
  expect(await checkThirdParty(doubling, { z: 1 })).toEqual({ ok: true });
});

test('the thread keeps no process alive, and a process waits for what the thread does', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN_TS, join(__dirname, 'one-check.ts')], {
    timeout: 60_000,
  });
  expect(stdout.trim()).toBe('{"ok":false,"problem":"next.n: must be integer"}');
});

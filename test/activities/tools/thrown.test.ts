import { logThrown, thrownOutcome } from '../../../activities/tools/thrown';
import type { Log } from '../../../agent/define/context';
import { HoldfastError } from '../../../agent/errors/error';
import { toolSpec } from '../../workflows/state-data';

const KEY = 'PROVIDER_API_KEY';
beforeAll(() => {
  process.env[KEY] = 'sk-a-secret-of-the-worker';
});
afterAll(() => {
  delete process.env[KEY];
});

const spec = toolSpec('lookup', { effect: 'read' });
const textOf = (error: unknown) => thrownOutcome(spec, error, { again: false, why: '' }).error?.message;

test('the model reads why a request failed, and no secret', () => {
  const cause = new Error('connect ECONNREFUSED with sk-a-secret-of-the-worker');
  const text = textOf(new TypeError('fetch failed', { cause }));
  expect(text).toContain('fetch failed: connect ECONNREFUSED');
  expect(text).not.toContain('sk-a-secret');
});

test('whatever is thrown becomes an outcome', () => {
  expect(textOf(Object.create(null))).toContain('a value that cannot be shown');
  expect(textOf({ code: 42 })).toContain('{"code":42}');
});

interface Entry {
  fields: object;
  text: string;
}

function thrownIn(work: () => unknown, signal = new AbortController().signal): Promise<Entry[]> {
  const entries: Entry[] = [];
  const warn = (fields: object, text: string) => entries.push({ fields, text });
  const about = { run: 'mail-17', tool: 'lookup', toolUseId: 't1.1', signal };
  return logThrown({ warn } as unknown as Log, about, work).then(
    () => entries,
    () => entries,
  );
}

test('the log says where a tool threw, and why', async () => {
  const entries = await thrownIn(function findOrder() {
    throw new Error('fetch failed for sk-a-secret-of-the-worker', { cause: new Error('no route') });
  });
  expect(entries).toEqual([
    {
      fields: {
        id: 'mail-17',
        tool: 'lookup',
        toolUseId: 't1.1',
        error: expect.stringMatching(
          /^fetch failed for (?!sk-).*: no route\n(?:.|\n)*at findOrder \(.*thrown\.test\.ts:\d+/,
        ),
      },
      text: 'A tool threw an error.',
    },
  ]);
});

test('no entry for what a tool says on purpose, nor for a call that was stopped', async () => {
  expect(
    await thrownIn(() => {
      throw new HoldfastError('InvalidMessage', { problem: 'x' });
    }),
  ).toEqual([]);
  const stopped = AbortSignal.abort();
  expect(await thrownIn(() => Promise.reject(stopped.reason), stopped)).toEqual([]);
  expect(await thrownIn(() => 'fine')).toEqual([]);
});

import { call } from '../../kit/scripted-model';
import { nested } from '../stage/wire';
import { DONE, type RawPayload, type SignalInput, type Target } from './input';

const JSON_PLAIN = 'json/plain';
const json = (value: unknown): RawPayload => ({ encoding: JSON_PLAIN, data: JSON.stringify(value) });
const BROKEN: readonly RawPayload[] = [
  { encoding: 'json/protobuf', data: '{}' },
  { encoding: 'binary/protobuf', data: new Uint8Array([8, 1]) },
  { encoding: 'binary/encrypted', data: new Uint8Array([1, 2, 3]) },
  { encoding: JSON_PLAIN, data: '{"text": ' },
  { encoding: JSON_PLAIN, data: new Uint8Array([0xff, 0xfe]) },
  { encoding: JSON_PLAIN },
  { data: '{}' },
  { encoding: '__proto__', data: '{}' },
  {},
];
const NAMES = [
  'toString',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '',
  '\u001b[2J',
  'x'.repeat(900),
  '__temporal_x',
];
const KNOWN = ['approve', 'deny', 'edit', 'send', 'steer', 'answer', 'close', 'toolResult', 'serviceAnswer', 'undo'];

/** Sends each to the run, one after the other; a refusal by the server counts as well. */
async function each<T>(all: readonly T[], send: (one: T) => Promise<unknown>): Promise<string> {
  const said: string[] = [];
  for (const one of all) said.push(await send(one).then(String, String));
  return said.join('\n');
}

async function together(all: readonly Promise<unknown>[]): Promise<string> {
  return (await Promise.all(all.map((one) => one.then(String, String)))).join('\n');
}

const signal = (
  name: string,
  does: string,
  send: SignalInput['send'],
  more: Partial<SignalInput> = {},
): SignalInput => ({
  name,
  does,
  script: [call('pay', { item: 'a' })],
  send,
  told: [/^paid a$/],
  end: { data: DONE },
  ...more,
});

const REFUSED = { refused: true } as const;

export const SIGNALS: readonly SignalInput[] = [
  signal(
    'undecodable-signals',
    'signals payloads of nine kinds that cannot be decoded, under each name',
    ({ run, raw }: Target) => each(KNOWN, (name) => each(BROKEN, (payload) => raw.signal(run.id, name, [payload]))),
    { quick: true },
  ),
  signal(
    'undecodable-updates',
    'sends the same payloads as updates',
    ({ run, raw }) => each(BROKEN, (payload) => raw.update(run.id, 'approve', [payload])),
    REFUSED,
  ),
  signal('undecodable-queries', 'queries with the same payloads', ({ run, raw }) =>
    each(BROKEN, (payload) => raw.query(run.id, 'holdfast.facts', [payload])),
  ),
  signal('deep', 'sends JSON that is nested 100,000 deep', ({ run, raw }) =>
    each(KNOWN, (name) => raw.signal(run.id, name, [{ encoding: JSON_PLAIN, data: nested(100_000) }])),
  ),
  signal(
    'deep-updates',
    'sends JSON that is nested 4,300 deep as updates',
    ({ run, raw }) =>
      each(['approve', 'send', 'answer'], (name) =>
        raw.update(run.id, name, [{ encoding: JSON_PLAIN, data: nested(4300) }]),
      ),
    REFUSED,
  ),
  signal('unknown-signals', 'signals under unknown names', ({ run, raw }) =>
    each(NAMES, (name) => raw.signal(run.id, name, [json({})])),
  ),
  signal(
    'unknown-updates',
    'updates under unknown names',
    ({ run, raw }) =>
      each(
        NAMES.filter((name) => name !== ''),
        (name) => raw.update(run.id, name, [json({})]),
      ),
    REFUSED,
  ),
  signal(
    'unknown-queries',
    'queries under unknown names',
    ({ run, raw }) =>
      each(
        NAMES.filter((name) => name !== ''),
        (name) => raw.query(run.id, name, []),
      ),
    REFUSED,
  ),
  signal('large', 'signals 1.5 MB eight times', ({ run, raw }) =>
    each(['send', 'answer', 'toolResult', 'unknown', 'send', 'answer', 'approve', 'x'], (name) =>
      raw.signal(run.id, name, [json({ text: 'x'.repeat(1_500_000) })]),
    ),
  ),
  signal('flood', 'sends 500 signals at once', ({ run, raw }) =>
    together(
      Array.from({ length: 500 }, (_, i) =>
        raw.signal(run.id, KNOWN[i % 10] ?? 'send', [json({ toolUseId: `t${i}.1`, data: i })]),
      ),
    ),
  ),
  signal(
    'forged',
    'decides on calls of other runs, of no run, and with a wrong hash',
    ({ run, raw }) =>
      each(
        [
          { toolUseId: 't9.9', by: 'eve' },
          { toolUseId: '__proto__', by: 'eve' },
          { toolUseId: 't1.1', by: 'eve', hash: '0'.repeat(64) },
          { toolUseId: 't1.1', by: '' },
          { toolUseId: 't1.1', by: { toString: 'eve' } },
          { toolUseId: 't1.1', by: 'eve', decision: 'edit', input: { item: 'evil' }, hash: 7 },
          [],
          'approve',
          null,
        ],
        (decision) => raw.update(run.id, 'approve', [json(decision)]),
      ),
    REFUSED,
  ),
  signal('many-payloads', 'signals 100 payloads instead of one, and none', ({ run, raw }) =>
    each(KNOWN, async (name) => {
      await raw.signal(
        run.id,
        name,
        Array.from({ length: 100 }, () => json({})),
      );
      await raw.signal(run.id, name, []);
    }),
  ),
];

import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ApplicationFailure, type Payload, StorageDriverClaim } from '@temporalio/common';
import type { Log } from '../../../agent/define/context';
import { problemOfUnreadable } from '../../../runtime/payloads/unreadable-payload';
import { sha256 } from '../../../runtime/sha256';
import { MAX_OBJECT, type ObjectStore } from '../../../runtime/storage/object-store';
import { PayloadDriver } from '../../../runtime/storage/payload-driver';

/** Objects in memory, of a place that can be away. */
class Memory implements ObjectStore {
  readonly where = 'the memory';
  readonly objects = new Map<string, Uint8Array>();
  /** How often each method was called. */
  readonly calls = { put: 0, get: 0 };
  isAway = false;

  async open(): Promise<void> {}

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.calls.put++;
    this.#answer();
    this.objects.set(key, bytes);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    this.calls.get++;
    this.#answer();
    return this.objects.get(key);
  }

  #answer(): void {
    if (this.isAway) throw new Error('ECONNREFUSED');
  }
}

const payload = (data: Uint8Array): Payload => ({ metadata: { encoding: Buffer.from('json/plain') }, data });
const small = payload(Buffer.from('"hello"'));
/** More than a history takes, also compressed. */
const huge = payload(randomBytes(3_000_000));

const warnings: string[] = [];
const warn = (_: unknown, text: string) => void warnings.push(text);
const log = { warn } as unknown as Log;
let memory: Memory;
let driver: PayloadDriver;
/** Another process, which remembers nothing. */
const other = (user: 'worker' | 'client' = 'worker') => new PayloadDriver(memory, { user, log });
const read = async (from: PayloadDriver, claimData: Record<string, string>) =>
  (await from.retrieve({}, [new StorageDriverClaim(claimData)]))[0] as Payload;
const written = async (one: Payload) => (await driver.store({}, [one]))[0]?.claimData ?? {};

beforeEach(() => {
  memory = new Memory();
  driver = other();
  warnings.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

it('keeps a payload under its hash, for every process', async () => {
  const claim = await written(small);
  expect(claim).toEqual({ key: sha256([...memory.objects.values()][0] ?? '') });
  expect(await read(other(), claim)).toEqual({
    metadata: { encoding: new Uint8Array(Buffer.from('json/plain')) },
    data: new Uint8Array(Buffer.from('"hello"')),
  });
  expect(await written(small)).toEqual(claim);
  expect(memory.objects.size).toBe(1);
});

it('reads what it knows without asking again', async () => {
  const claim = await written(small);
  await read(driver, claim);
  expect(memory.calls.get).toBe(0);
});

it('puts a payload into the history while the place is away, tells it once, and asks the place again later', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  memory.isAway = true;
  const claim = await written(small);
  expect(Object.keys(claim)).toEqual(['gzip']);
  await written(small);
  expect(memory.calls.put).toBe(1);
  expect(warnings).toEqual([expect.stringContaining('the memory, cannot be used (ECONNREFUSED)')]);
  expect((await read(other(), claim)).data).toEqual(new Uint8Array(Buffer.from('"hello"')));

  memory.isAway = false;
  jest.setSystemTime(Date.now() + 11_000);
  expect(Object.keys(await written(small))).toEqual(['key']);
});

it('fails what is too large for a history while the place is away, so that it is repeated', async () => {
  memory.isAway = true;
  await expect(written(huge)).rejects.toMatchObject({ type: 'StorageNotWritten', nonRetryable: false });
  await expect(written(huge)).rejects.toBeInstanceOf(ApplicationFailure);
  memory.isAway = false;
  // The history cannot take it: the place is asked at once.
  expect(Object.keys(await written(huge))).toEqual(['key']);
});

it('refuses what no storage takes for good', async () => {
  const error = { type: 'StorageNotWritten', nonRetryable: true };
  await expect(written(payload(Buffer.alloc(MAX_OBJECT)))).rejects.toMatchObject(error);
  expect(memory.calls.put).toBe(0);
});

it('reads again while the place is away, and fails so that the server repeats it', async () => {
  const claim = await written(small);
  memory.isAway = true;
  const reading = read(other(), claim);
  setTimeout(() => {
    memory.isAway = false;
  }, 300);
  expect((await reading).data).toEqual(new Uint8Array(Buffer.from('"hello"')));

  expect(memory.calls.get).toBeGreaterThan(1);

  memory.isAway = true;
  const before = memory.calls.get;
  const failure = { type: 'StorageUnavailable', nonRetryable: false };
  await expect(read(other(), claim)).rejects.toMatchObject(failure);
  expect(memory.calls.get - before).toBeGreaterThan(3);
  await expect(read(other('client'), claim)).rejects.toMatchObject({
    name: 'HoldfastError',
    type: 'StorageUnavailable',
    data: { where: 'the memory', problem: 'ECONNREFUSED' },
  });
}, 40_000);

it('ends when it is told to', async () => {
  memory.isAway = true;
  const abort = new AbortController();
  const reading = other().retrieve({ abortSignal: abort.signal }, [new StorageDriverClaim({ key: '0'.repeat(64) })]);
  abort.abort(new Error('told to'));
  await expect(reading).rejects.toThrow();
  expect(memory.calls.get).toBe(1);
});

const key = (bytes: Uint8Array) => {
  const hash = sha256(bytes);
  memory.objects.set(hash, bytes);
  return { key: hash };
};
const gzip = (bytes: Uint8Array) => ({ gzip: gzipSync(bytes).toString('base64') });

it.each<[string, () => Record<string, string>, string]>([
  ['nothing', () => ({}), 'its reference to the storage is not valid'],
  ['a path', () => ({ key: '../../etc/passwd' }), 'its reference to the storage is not valid'],
  ['a hash in capitals', () => ({ key: 'AB'.repeat(32) }), 'its reference to the storage is not valid'],
  ['an object that is not there', () => ({ key: '0'.repeat(64) }), `the memory does not have it (${'0'.repeat(64)})`],
  [
    'an object that was changed',
    () => {
      memory.objects.set('0'.repeat(64), Buffer.from('{}\nother'));
      return { key: '0'.repeat(64) };
    },
    `the memory has something else in its place (${'0'.repeat(64)})`,
  ],
  ['an object of another form', () => key(Buffer.from('no line')), 'its reference to the storage is not valid'],
  ['no gzip', () => ({ gzip: 'x' }), 'its reference to the storage is not valid'],
  ['gzip of another form', () => gzip(Buffer.from('no line')), 'its reference to the storage is not valid'],
  ['gzip of a gigabyte', () => gzip(Buffer.alloc(MAX_OBJECT + 1, 'x')), 'its reference to the storage is not valid'],
])('refuses a reference to %s by name in a worker, and with an error in a client', async (_, claim, problem) => {
  const claimData = claim();
  expect(problemOfUnreadable(await read(other(), claimData))).toBe(problem);
  await expect(read(other('client'), claimData)).rejects.toMatchObject({
    type: 'StorageUnavailable',
    data: { problem },
  });
});

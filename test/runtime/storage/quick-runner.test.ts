import { ExternalStorage, type Payload, type StorageDriver } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import fc from 'fast-check';
import { quicken } from '../../../runtime/storage/quick-runner';

const LEAST = 200;
const { Payload: Proto } = temporal.api.common.v1;

/** A runner that tells which of its own methods were called. */
function runner() {
  const called: string[] = [];
  const itself = {
    externalStorage: { payloadSizeThreshold: LEAST } as ExternalStorage,
    store: async (payloads: Payload[]) => {
      called.push('store');
      return payloads;
    },
    retrieve: async (payloads: Payload[]) => {
      called.push('retrieve');
      return payloads;
    },
  };
  quicken(itself);
  return { ...itself, called };
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength, size: 'max' });
const payload: fc.Arbitrary<Payload> = fc.record(
  {
    metadata: fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 20 }), bytes(40), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    data: fc.option(bytes(2 * LEAST)),
  },
  { requiredKeys: [] },
);
const reference: Payload = {
  metadata: {
    encoding: Buffer.from('json/protobuf'),
    messageType: Buffer.from('temporal.api.sdk.v1.ExternalStorageReference'),
  },
  data: Buffer.from('{"driverName":"a"}'),
};

it('leaves every payload that may be stored to the SDK, and small ones as they are', () =>
  fc.assert(
    fc.asyncProperty(fc.array(payload, { maxLength: 4 }), async (payloads) => {
      const { store, externalStorage, called } = runner();
      expect(await store.call({ externalStorage }, payloads)).toBe(payloads);
      const sizes = payloads.map((each) => Proto.encode(each).finish().length);
      if (sizes.some((size) => size >= LEAST)) expect(called).toEqual(['store']);
      if (sizes.every((size) => size < 10)) expect(called).toEqual([]);
    }),
  ));

it('leaves payloads with parts elsewhere to the SDK', async () => {
  const { store, externalStorage, called } = runner();
  await store.call({ externalStorage }, [Proto.create({ externalPayloads: [{}] }) as Payload]);
  expect(called).toEqual(['store']);
});

it('reads references only', async () => {
  const { retrieve, called } = runner();
  const plain = [{ data: Buffer.from('{}') }, {}];
  expect(await retrieve(plain)).toBe(plain);
  expect(called).toEqual([]);
  await retrieve([...plain, reference]);
  expect(called).toEqual(['retrieve']);
});

it("is in the SDK's own runner, which stores and reads as before", async () => {
  const { ExternalStorageRunner } = require('@temporalio/common/lib/internal-non-workflow/external-storage-runner');
  const kept = new Map<string, Payload>();
  const driver: StorageDriver = {
    name: 'kept',
    type: 'kept',
    store: async (_, payloads) =>
      payloads.map((each) => {
        const key = String(kept.size);
        kept.set(key, each);
        return { claimData: { key } };
      }),
    retrieve: async (_, claims) => claims.map(({ claimData }) => kept.get(claimData.key ?? '') as Payload),
  };
  const externalStorage = new ExternalStorage({ drivers: [driver], payloadSizeThreshold: LEAST });
  const signal = jest.spyOn(AbortSignal, 'any');
  const sdk = new ExternalStorageRunner(externalStorage);
  const { signal: abortSignal } = new AbortController();
  const small = { metadata: {}, data: Buffer.from('small') };
  expect(await sdk.store([small], { abortSignal })).toEqual([small]);
  expect(await sdk.retrieve([small], { abortSignal })).toEqual([small]);
  expect(signal).not.toHaveBeenCalled();
  const large = { metadata: {}, data: Buffer.alloc(LEAST) };
  const stored = await sdk.store([small, large], { abortSignal });
  expect(stored[0]).toBe(small);
  expect(stored[1]).not.toBe(large);
  expect(await sdk.retrieve(stored, { abortSignal })).toEqual([small, large]);
});

import type { Payload } from '@temporalio/common';
import { guardReferences, referenceIn } from '../../../runtime/storage/references';

const payload = (data: string, messageType = 'temporal.api.sdk.v1.ExternalStorageReference'): Payload => ({
  metadata: { encoding: Buffer.from('json/protobuf'), messageType: Buffer.from(messageType) },
  data: Buffer.from(data),
});

it('reads a reference as the SDK writes it', () => {
  expect(referenceIn(payload('{"driverName": "holdfast", "claimData": {"key": "k"}}'))).toEqual({
    driverName: 'holdfast',
    claimData: { key: 'k' },
    sizeBytes: 0,
  });
});

it.each([
  ['another message', payload('{"driverName": "holdfast"}', 'temporal.api.common.v1.Payload')],
  ['JSON', { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{}') }],
  ['no driver', payload('{}')],
  ['broken JSON', payload('{')],
  ['a claim that is a text', payload('{"driverName": "a", "claimData": "x"}')],
  ['no data', { ...payload(''), data: null }],
])('takes %s for no reference', (_, given) => {
  expect(referenceIn(given as Payload)).toBeUndefined();
});

it('has the SDK ignore malformed references, which it would throw at', () => {
  const sdk = require('@temporalio/common/lib/internal-non-workflow/extstore-helpers');
  expect(() => sdk.decodeReferencePayload(payload('{}'))).toThrow();
  expect(sdk.isReferencePayload(payload('{}'))).toBe(false);
  expect(sdk.isReferencePayload(payload('{"driverName": "a"}'))).toBe(true);
});

it('leaves a version of the SDK alone that it does not know', () => {
  const other = { isReferencePayload: () => true };
  expect(guardReferences(other)).toBe(false);
  expect(other.isReferencePayload()).toBe(true);
  expect(guardReferences({})).toBe(false);
});

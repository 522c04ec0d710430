import { ApplicationFailure, type Payload, type PayloadCodec } from '@temporalio/common';
import { Unreadable } from '../../agent/values/unreadable';
import { guardCodecs } from '../../runtime/payloads/codec-guard';
import { payloadConverter } from '../../runtime/payloads/payload-converter';
import { json } from './raw';

const codec = (decode: PayloadCodec['decode']): PayloadCodec => ({ encode: async (payloads) => payloads, decode });
const throws = (error: unknown) =>
  codec(() => {
    throw error;
  });

/** As the SDK decodes: through the last codec first. */
async function decoded(codecs: PayloadCodec[], payloads: Payload[]): Promise<unknown[]> {
  let given = payloads;
  for (const one of guardCodecs(codecs).reverse()) given = await one.decode(given);
  return given.map((payload) => payloadConverter.fromPayload(payload));
}

const good = json('good')[0] ?? {};
const bad = json('bad')[0] ?? {};
const picky = codec(async (payloads) => {
  if (payloads.includes(bad)) throw new Error('no key `k1`\nsecond line');
  return payloads;
});

it('marks the payload that a codec cannot decode, and no other', async () => {
  const [first, second, third] = await decoded([picky], [good, bad, good]);
  expect([first, third]).toEqual(['good', 'good']);
  expect(second).toBeInstanceOf(Unreadable);
  expect(second).toMatchObject({
    problem: 'a codec of the worker could not decode it (encoding `json/plain`): no key k1',
  });
});

it.each<[string, PayloadCodec]>([
  ['throws', throws(new Error('broken'))],
  ['throws a value that is not an error', throws('broken')],
  ['throws a final error', throws(ApplicationFailure.nonRetryable('broken'))],
  ['rejects', codec(() => Promise.reject(new Error('broken')))],
  ['gives nothing', codec(async () => undefined as never)],
  ['returns too few payloads', codec(async () => [])],
  ['gives holes', codec(async ([first]) => [first, undefined] as Payload[])],
])('marks every payload of a codec that %s, whichever codec follows', async (_, broken) => {
  for (const codecs of [[broken], [picky, broken], [broken, picky], [broken, broken]]) {
    for (const one of await decoded(codecs, [good, good])) expect(one).toBeInstanceOf(Unreadable);
  }
});

it('lets the SDK retry what may pass', async () => {
  const network = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  for (const error of [
    network,
    new TypeError('fetch failed', { cause: network }),
    ApplicationFailure.retryable('later'),
  ]) {
    await expect(decoded([throws(error)], [good])).rejects.toBe(error);
    await expect(decoded([throws(error)], [good, good])).rejects.toBe(error);
  }
});

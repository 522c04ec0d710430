import { type ContractDefinition, defineContract } from 'holdfast';
import { z } from 'zod';
import { contractOfAgent } from '../../../agent/contracts/contract';
import { fault } from '../fault';

const accepts = z.object({ sku: z.string() });
const emits = { 'evt.stock.check.success': z.object({ left: z.number() }) };
const versions = { '1.0.0': { accepts, emits } };

it.each([
  ['stock.check', 'stock.check', 'com.stock.check', 'sys.com.stock.check.error'],
  ['com.stock.check', 'stock.check', 'com.stock.check', 'sys.com.stock.check.error'],
  ['arvo.orc.legal', 'legal', 'arvo.orc.legal', 'sys.arvo.orc.legal.error'],
])('the contract `%s` has name, type and system error', (type, name, accepted, systemError) => {
  expect(defineContract({ type, versions })).toMatchObject({
    name,
    type: accepted,
    systemError,
    uri: `#/contracts/${name}`,
    versions,
  });
});

it('a contract keeps its own uri and description, and is frozen', () => {
  const made = defineContract({ type: 'stock.check', uri: '#/shop/stock', description: 'Counts', versions });
  expect(made).toMatchObject({ uri: '#/shop/stock', description: 'Counts' });
  expect(Object.isFrozen(made)).toBe(true);
});

it.each<[string, unknown, string[]]>([
  ['nothing', null, ['defineContract']],
  ['no type', { versions }, ['defineContract.type', 'stock.check']],
  ['an upper-case type', { type: 'Stock.Check', versions }, ['defineContract.type', '`Stock.Check`']],
  ['a type with a space', { type: 'stock check', versions }, ['defineContract.type']],
  ['an empty uri', { type: 'a.b', uri: '', versions }, ['Contract `a.b`.uri']],
  ['a description that is no text', { type: 'a.b', description: 7, versions }, ['Contract `a.b`.description']],
  ['no versions', { type: 'a.b', versions: {} }, ['Contract `a.b`.versions', "'1.0.0'"]],
  ['a version of two numbers', { type: 'a.b', versions: { '1.0': { accepts, emits } } }, ['.versions.1.0', '1.0.0']],
  ['an empty version', { type: 'a.b', versions: { '1.0.0': null } }, ['.versions.1.0.0', '{ accepts, emits }']],
  ['nothing that it accepts', { type: 'a.b', versions: { '1.0.0': { emits } } }, ['.versions.1.0.0.accepts']],
  [
    'a text that it accepts',
    { type: 'a.b', versions: { '1.0.0': { accepts: z.string(), emits } } },
    ['.versions.1.0.0.accepts', 'object schema', '`string`'],
  ],
  ['no answers', { type: 'a.b', versions: { '1.0.0': { accepts, emits: {} } } }, ['.1.0.0.emits', 'at least one']],
  [
    'an answer without a schema',
    { type: 'a.b', versions: { '1.0.0': { accepts, emits: { 'evt.a': {} } } } },
    ['.1.0.0.emits.evt.a', 'z.object'],
  ],
  [
    'an answer of a strange type',
    { type: 'a.b', versions: { '1.0.0': { accepts, emits: { constructor: accepts } } } },
    ['.1.0.0.emits', '`constructor`'],
  ],
  [
    'its own system error among the answers',
    { type: 'a.b', versions: { '1.0.0': { accepts, emits: { 'sys.com.a.b.error': accepts } } } },
    ['.1.0.0.emits', '`sys.com.a.b.error`', 'leave it out'],
  ],
])('a contract with %s is refused and the place named', (_what, definition, expected) => {
  const message = fault(() => defineContract(definition as ContractDefinition));
  for (const part of expected) expect(message).toContain(part);
});

it('an agent is a contract: what it is asked, and its completion event', () => {
  const legal = contractOfAgent({ name: 'legal.review', input: accepts, output: z.object({ ok: z.boolean() }) });
  expect(legal).toMatchObject({
    name: 'legal.review',
    type: 'arvo.orc.legal.review',
    systemError: 'sys.arvo.orc.legal.review.error',
  });
  expect(Object.keys(legal.versions['1.0.0']?.emits ?? {})).toEqual(['arvo.orc.legal.review.done']);
});

it('an agent without schemas takes any object and answers with a text', async () => {
  const version = contractOfAgent({ name: 'legal.review' }).versions['1.0.0'];
  const done = version?.emits['arvo.orc.legal.review.done'];
  expect(await version?.accepts['~standard'].validate({ any: [1] })).toEqual({ value: { any: [1] } });
  expect(await done?.['~standard'].validate({ response: 'fine' })).toEqual({ value: { response: 'fine' } });
  expect(await done?.['~standard'].validate({})).toMatchObject({ issues: [{ path: ['response'] }] });
});

import { type ContractDefinition, defineContract, type Schema } from 'holdfast';
import { z } from 'zod';
import { contractOfAgent } from '../../../agent/contracts/contract';
import { check, toJsonSchema } from '../../../agent/contracts/schema';
import { fault } from '../fault';

const accepts = z.object({ sku: z.string() });
const emits = { 'evt.stock.check.success': z.object({ left: z.number() }) };
const versions = { '1.0.0': { accepts, emits } };
const odd = { '~standard': { vendor: 'odd', version: 1, validate: () => ({}) } };

it.each([
  ['stock.check', 'stock.check', 'com.stock.check', 'sys.com.stock.check.error'],
  ['com.stock.check', 'stock.check', 'com.stock.check', 'sys.com.stock.check.error'],
  ['arvo.orc.legal', 'legal', 'arvo.orc.legal', 'sys.arvo.orc.legal.error'],
  ['arvo.stock', 'arvo.stock', 'com.arvo.stock', 'sys.com.arvo.stock.error'],
  ['stock', 'stock', 'com.stock', 'sys.com.stock.error'],
])('the contract `%s` has name, type and system error', (type, name, accepted, systemError) => {
  const made = { name, type: accepted, systemError, uri: `#/contracts/${name}`, versions };
  expect(defineContract({ type, versions })).toStrictEqual(made);
});

it('a contract keeps its own uri and description, and is frozen', () => {
  const made = defineContract({ type: 'stock.check', uri: '#/shop/stock', description: '', versions });
  expect(made).toMatchObject({ uri: '#/shop/stock', description: '' });
  expect(Object.isFrozen(made)).toBe(true);
});

it('a contract may have several versions and answers of any kind, such as a list or a text', () => {
  const several = { '1.0.0': { accepts, emits }, '10.20.30': { accepts, emits: { 'evt.list': z.array(z.string()) } } };
  expect(defineContract({ type: 'stock.check', versions: several }).versions).toBe(several);
  const text = { '1.0.0': { accepts, emits: { ...emits, said: z.string() } } };
  expect(defineContract({ type: 'stock.check', versions: text }).versions).toBe(text);
});

const TYPE = 'Expected lower-case words joined by dots, such as `stock.check`, got';

it.each<[string, unknown, string]>([
  ['nothing', null, 'defineContract: Expected an object'],
  ['a text', 'stock.check', 'defineContract: Expected an object'],
  ['no type', { versions }, `defineContract.type: ${TYPE} \`undefined\``],
  ['a list of types', { type: ['stock.check'], versions }, `defineContract.type: ${TYPE} \`stock.check\``],
  ...['Stock.Check', 'stock check', '', '1a', '.a', 'a.', 'a..b', '_a', 'com.'].map(
    (type): [string, unknown, string] => [
      `the type \`${type}\``,
      { type, versions },
      `defineContract.type: ${TYPE} \`${type}\``,
    ],
  ),
])('a contract with %s is refused', (_what, definition, text) => {
  expect(fault(() => defineContract(definition as ContractDefinition))).toBe(text);
});

const VERSIONS = "Expected at least one version, such as `{ '1.0.0': { accepts, emits } }`";
const NUMBER = 'A version is three numbers joined by dots, such as `1.0.0`';
const VERSION = 'Expected `{ accepts, emits }`';
const SCHEMA = 'Expected a schema, such as `z.object({ … })`';
const ODD = 'schemas of `odd` cannot be converted to JSON Schema; use zod 4.2 or newer';
const NO_ANSWER = 'Expected the type of at least one answer with its schema';
const one = (version: unknown) => ({ versions: { '1.0.0': version } });

it.each<[string, object, string]>([
  ['an empty uri', { uri: '', versions }, 'uri: Expected a string'],
  ['a uri that is not a text', { uri: 7, versions }, 'uri: Expected a string'],
  ['a description that is not a text', { description: 7, versions }, 'description: Expected a string'],
  ['no versions', { versions: {} }, `versions: ${VERSIONS}`],
  ['missing versions', {}, `versions: ${VERSIONS}`],
  ['nothing as its versions', { versions: null }, `versions: ${VERSIONS}`],
  ['a text as its versions', { versions: '1.0.0' }, `versions: ${VERSIONS}`],
  ...['1.0', '1.0.0.0', 'v1.0.0', '1.x.0', '1.0.0-a'].map((number): [string, object, string] => [
    `the version ${number}`,
    { versions: { '1.0.0': versions['1.0.0'], [number]: versions['1.0.0'] } },
    `versions.${number}: ${NUMBER}`,
  ]),
  ['nothing as a version', one(null), `versions.1.0.0: ${VERSION}`],
  ['a text as a version', one('stock'), `versions.1.0.0: ${VERSION}`],
  ['no input schema', one({ emits }), `versions.1.0.0.accepts: ${SCHEMA}`],
  ['an input schema that cannot be converted', one({ accepts: odd, emits }), `versions.1.0.0.accepts: ${ODD}`],
  [
    'a text that it accepts',
    one({ accepts: z.string(), emits }),
    'versions.1.0.0.accepts: Expected an object schema, got `string`',
  ],
  [
    'one or the other that it accepts',
    one({ accepts: z.union([accepts, z.string()]), emits }),
    'versions.1.0.0.accepts: Expected an object schema, got a union; put it into a field, as in `z.object({ value: … })`',
  ],
  ['no answers', one({ accepts, emits: {} }), `versions.1.0.0.emits: ${NO_ANSWER}`],
  ['missing answers', one({ accepts }), `versions.1.0.0.emits: ${NO_ANSWER}`],
  ['an answer without a schema', one({ accepts, emits: { 'evt.a': {} } }), `versions.1.0.0.emits.evt.a: ${SCHEMA}`],
  [
    'an answer whose schema cannot be converted',
    one({ accepts, emits: { 'evt.a': odd } }),
    `versions.1.0.0.emits.evt.a: ${ODD}`,
  ],
  [
    'an upper-case answer',
    one({ accepts, emits: { Evt: accepts } }),
    'versions.1.0.0.emits: `Evt` is not an event type',
  ],
  [
    'an answer that every object has',
    one({ accepts, emits: { constructor: accepts } }),
    'versions.1.0.0.emits: `constructor` is not an event type',
  ],
  [
    'its own system error among the answers',
    one({ accepts, emits: { ...emits, 'sys.com.a.b.error': accepts } }),
    'versions.1.0.0.emits: `sys.com.a.b.error` is part of every contract; leave it out',
  ],
])('a contract with %s is refused, and the place is named', (_what, more, text) => {
  const definition = { type: 'a.b', ...more } as ContractDefinition;
  expect(fault(() => defineContract(definition))).toBe(`Contract \`a.b\`.${text}`);
});

it('the contract of an agent has its input and its completion event', () => {
  const output = z.object({ ok: z.boolean() });
  const shape = { name: 'legal.review', description: 'Reads contracts', inputSchema: accepts, outputSchema: output };
  const made = {
    name: 'legal.review',
    type: 'arvo.orc.legal.review',
    systemError: 'sys.arvo.orc.legal.review.error',
    uri: '#/contracts/legal.review',
    description: 'Reads contracts',
    versions: { '1.0.0': { accepts, emits: { 'arvo.orc.legal.review.done': output } } },
  };
  expect(contractOfAgent(shape)).toStrictEqual(made);
  expect(contractOfAgent({ ...shape, versions: { '2.0.0': {} } }).versions).toStrictEqual({
    '2.0.0': made.versions['1.0.0'],
  });
});

it('an agent without schemas takes any object and answers with a text', async () => {
  const { versions, ...more } = contractOfAgent({ name: 'legal.review' });
  expect(Object.hasOwn(more, 'description')).toBe(false);
  const { accepts, emits } = versions['1.0.0'] ?? {};
  const done = emits?.['arvo.orc.legal.review.done'];
  expect(toJsonSchema(accepts as Schema)).toEqual({ type: 'object' });
  expect(await check(accepts as Schema, { any: [1] })).toEqual({ ok: true, value: { any: [1] } });
  expect(await check(accepts as Schema, 'any')).toEqual({ ok: false, problem: 'Expected object, got string' });
  expect(await check(done as Schema, { response: 'fine' })).toEqual({ ok: true, value: { response: 'fine' } });
  expect(await check(done as Schema, {})).toEqual({ ok: false, problem: 'response: It is missing' });
  expect(await check(done as Schema, { response: 7 })).toEqual({
    ok: false,
    problem: 'response: Expected string, got number',
  });
});

import { checkHeaders, checkReference } from '../../../../agent/define/checks/headers';
import { fault } from '../../fault';

const REFERENCE = "Expected `{ env: 'NAME' }`: keep secrets in the environment, and plain values in temporal.yaml";

it.each<[string, unknown]>([
  ['the secret itself', 'Bearer s3cret'],
  ['nothing', null],
  ['a missing value', undefined],
  ['an object without a name', { prefix: 'Bearer ' }],
  ['a name that is not a text', { env: true }],
  ['a list of names', { env: ['TOKEN'] }],
  ['an empty name', { env: '' }],
  ['a name that begins with a digit', { env: '1TOKEN' }],
  ['a name with a dash', { env: 'MY-TOKEN' }],
  ['a prefix that is not a text', { env: 'TOKEN', prefix: 7 }],
  ['an extra field', { env: 'TOKEN', value: 's3cret' }],
])('a secret that is %s is refused, and not repeated', (_what, value) => {
  expect(fault(() => checkReference(value, 'crm.secret'))).toBe(`crm.secret: ${REFERENCE}`);
});

it.each([{ env: 'TOKEN' }, { env: '_t1' }, { env: 'TOKEN', prefix: 'Bearer ' }, { env: 'TOKEN', prefix: '' }])(
  'a secret may be %j',
  (value) => {
    expect(() => checkReference(value, 'crm.secret')).not.toThrow();
  },
);

it.each(['', 'X Key', 'X-Key:', 'Schlüssel', 'X-Key\n'])('a header cannot be named %j', (name) => {
  const make = () => checkHeaders({ Accept: { env: 'TYPE' }, [name]: { env: 'TOKEN' } }, 'crm.headers');
  expect(make).toThrow(`crm.headers.${name}: This is not a valid header name`);
});

it('the value of every header is checked, and its place is named', () => {
  const headers = { Accept: { env: 'TYPE' }, Authorization: 'Bearer s3cret' };
  expect(fault(() => checkHeaders(headers, 'crm.headers'))).toBe(`crm.headers.Authorization: ${REFERENCE}`);
});

it.each([undefined, null, {}, { Authorization: { env: 'TOKEN', prefix: 'Bearer ' }, 'x-$_1': { env: 'ID' } }])(
  'headers may be %j',
  (headers) => {
    expect(() => checkHeaders(headers, 'crm.headers')).not.toThrow();
  },
);

import { HoldfastError } from 'holdfast';
import { BYTES } from '../../../agent/limits';
import { checkEvent } from '../../../agent/protocol/event';
import { jsonBytes } from '../../../agent/values/json';
import { MAX_DEPTH } from '../../../agent/values/json-depth';

const event = {
  specversion: '1.0',
  id: 'e-1',
  source: 'crm',
  subject: 'mail-17',
  type: 'evt.stock.check.success',
  time: '2026-01-01T00:00:00Z',
  datacontenttype: 'application/json',
  data: { left: 3 },
};
const texts = {
  dataschema: '#/contracts/stock/1.0.0',
  to: 'com.carrier',
  accesscontrol: 'tenant-1',
  redirectto: 'com.desk',
  parentid: 'run/t1.1',
  domain: 'eu',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'a=1',
  holdfastlineage: 'a.b,c.d',
};

function refusal(given: unknown): string {
  try {
    checkEvent(given);
  } catch (error) {
    expect(error).toBeInstanceOf(HoldfastError);
    expect((error as HoldfastError).type).toBe('InvalidEvent');
    return (error as HoldfastError<'InvalidEvent'>).data.problem;
  }
  throw new Error('expected a refusal');
}

it('an event passes unchanged, including unknown extensions', () => {
  const whole = { ...event, ...texts, executionunits: 2.5, partitionkey: 'x', sequence: 7 };
  expect(checkEvent(whole)).toStrictEqual(whole);
});

it('fields that are null are left out, data that is null or missing is null', () => {
  const { data: _, ...bare } = event;
  const nulls = Object.fromEntries(Object.keys(texts).map((field) => [field, null]));
  expect(checkEvent({ ...event, ...nulls, executionunits: null, data_base64: null })).toStrictEqual(event);
  expect(checkEvent({ ...event, data: null })).toStrictEqual({ ...event, data: null });
  expect(checkEvent(bare)).toStrictEqual({ ...event, data: null });
});

it.each([[{ left: null }], [[null]], [0], [''], [false]])('the data %j stays unchanged', (data) => {
  expect(checkEvent({ ...event, data })).toStrictEqual({ ...event, data });
});

it('time and content type may be missing', () => {
  const { time: _, datacontenttype: __, ...bare } = event;
  expect(checkEvent(bare)).toStrictEqual({ ...event, time: '' });
});

it.each(['application/json', 'application/JSON; charset=utf-8', 'application/vnd.crm+json', 'text/json'])(
  'data of the type %s is JSON',
  (datacontenttype) => {
    expect(checkEvent({ ...event, datacontenttype })).toStrictEqual(event);
  },
);

const OBJECT = 'Expected a CloudEvent in structured mode, a JSON object';

it.each<[string, unknown, string]>([
  ['a text', 'event', OBJECT],
  ['nothing', null, OBJECT],
  ['a list', [event], OBJECT],
  ['another version', { ...event, specversion: '0.3' }, "Expected `specversion` to be '1.0'"],
  ['a version that is a number', { ...event, specversion: 1 }, "Expected `specversion` to be '1.0'"],
  ...['id', 'source', 'subject', 'type'].flatMap((field) =>
    [undefined, null, '', 17, ['a']].map((value): [string, unknown, string] => [
      `the ${field} ${JSON.stringify(value)}`,
      { ...event, [field]: value },
      `Expected \`${field}\` to be a string`,
    ]),
  ),
  ...['time', 'datacontenttype', ...Object.keys(texts)].map((field): [string, unknown, string] => [
    `a ${field} that is not a text`,
    { ...event, [field]: 1 },
    `Expected \`${field}\` to be a string`,
  ]),
  ['units as a text', { ...event, executionunits: '2' }, 'Expected `executionunits` to be a number'],
  ['infinite units', { ...event, executionunits: 1 / 0 }, 'Expected `executionunits` to be a number'],
  ['data that is not JSON', { ...event, datacontenttype: 'text/xml' }, 'Expected data as JSON, got `text/xml`'],
  ['data of an empty type', { ...event, datacontenttype: '' }, 'Expected data as JSON, got ``'],
  ['binary data', { ...event, data_base64: 'AAAA' }, 'Expected `data` as JSON, got `data_base64`'],
])('%s is refused', (_what, given, problem) => {
  expect(refusal(given)).toBe(problem);
});

it('units may be zero or a fraction', () => {
  for (const executionunits of [0, 0.5, -1])
    expect(checkEvent({ ...event, executionunits })).toMatchObject({ executionunits });
});

it('each field may be as deep as a value from outside, and no deeper', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  const deep = { ...event, data: nested(MAX_DEPTH) };
  expect(checkEvent(deep)).toStrictEqual(deep);
  expect(refusal({ ...event, data: nested(MAX_DEPTH + 1) })).toBe('It is nested deeper than 200 levels');
});

it('an event may be as large as an answer, and no larger', () => {
  const room = BYTES.answer - jsonBytes({ ...event, data: '' });
  expect(checkEvent({ ...event, data: 'x'.repeat(room) }).data).toHaveLength(room);
  expect(refusal({ ...event, data: 'x'.repeat(room + 1) })).toBe(
    'It is 1048577 bytes, more than the limit of 1048576; send a reference to larger data',
  );
});

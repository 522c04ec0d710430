import { HoldfastError } from 'holdfast';
import { BYTES } from '../../../agent/limits';
import { checkEvent } from '../../../agent/protocol/event';

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

function refusal(given: unknown): string {
  try {
    checkEvent(given);
  } catch (error) {
    expect(error).toBeInstanceOf(HoldfastError);
    expect((error as HoldfastError).type).toBe('InvalidEvent');
    return (error as HoldfastError).message;
  }
  throw new Error('expected a refusal');
}

it('an event passes unchanged, extensions of others included', () => {
  const whole = { ...event, parentid: 'run/t1.1', executionunits: 2.5, partitionkey: 'x' };
  expect(checkEvent(whole)).toEqual(whole);
});

it('fields that are null are left out, data that is null or missing is null', () => {
  const { data: _, ...bare } = event;
  expect(checkEvent({ ...event, to: null, dataschema: null, executionunits: null })).toEqual(event);
  expect(checkEvent({ ...event, data: null })).toEqual({ ...event, data: null });
  expect(checkEvent(bare)).toEqual({ ...event, data: null });
});

it('null inside of data stays', () => {
  expect(checkEvent({ ...event, data: { left: null } }).data).toEqual({ left: null });
});

it('time and content type may be missing', () => {
  const { time: _, datacontenttype: __, ...bare } = event;
  expect(checkEvent(bare)).toEqual({ ...event, time: '' });
});

it.each<[string, unknown, string]>([
  ['a text', 'event', 'CloudEvent'],
  ['a list', [event], 'CloudEvent'],
  ['another version', { ...event, specversion: '0.3' }, '`specversion`'],
  ['no id', { ...event, id: undefined }, '`id`'],
  ['an id that is null', { ...event, id: null }, '`id`'],
  ['an empty source', { ...event, source: '' }, '`source`'],
  ['a subject that is a number', { ...event, subject: 17 }, '`subject`'],
  ['no type', { ...event, type: undefined }, '`type`'],
  ['a parent that is no text', { ...event, parentid: 1 }, '`parentid`'],
  ['a time that is no text', { ...event, time: 1 }, '`time`'],
  ['units as a text', { ...event, executionunits: '2' }, '`executionunits`'],
  ['data that is no JSON', { ...event, datacontenttype: 'text/xml' }, '`text/xml`'],
  ['binary data', { ...event, data: undefined, data_base64: 'AAAA' }, '`data_base64`'],
  ['more than fits', { ...event, data: 'x'.repeat(BYTES.answer) }, 'reference'],
])('%s is refused by name', (_what, given, expected) => {
  expect(refusal(given)).toContain(expected);
});

import { BYTES } from '../../../agent/limits';
import { checkRunInput } from '../../../agent/protocol/check-run-input';
import { type Json, jsonBytes } from '../../../agent/values/json';
import { MAX_DEPTH } from '../../../agent/values/json-depth';
import { refusal } from '../refusal';

const AGENT = 'support.triage';
const check = (given: unknown) => checkRunInput(AGENT, given);
const misfit = (problem: string) => ({
  type: 'InvalidInput',
  message: `Input of \`${AGENT}\` does not fit: ${problem}`,
  data: { agent: AGENT, problem },
});
const event = {
  specversion: '1.0',
  id: 'e-1',
  source: 'crm',
  subject: 'mail-17',
  type: `arvo.orc.${AGENT}`,
  data: { mail: 17 },
};
const checked = { ...event, time: '', datacontenttype: 'application/json' };
const delegatedBy = {
  agent: 'support.lead',
  id: 'run-1',
  toolUseId: 't1.1',
  lineage: ['support.desk', 'support.lead'],
};

function nested(levels: number): Json {
  let value: Json = {};
  for (let level = 1; level < levels; level++) value = { value };
  return value;
}

test.each<[string, object]>([
  ['an empty object', {}],
  ['an input of any kind', { input: 'a text' }],
  ['an input that is null', { input: null }],
  [
    'all that a caller can say',
    { input: { mail: 17 }, owner: 'u1', metadata: { tenant: 'a' }, traceparent: '00-aa-bb-01', delegatedBy },
  ],
  ['an empty owner and an empty lineage', { owner: '', metadata: {}, delegatedBy: { ...delegatedBy, lineage: [] } }],
  ['JSON of the greatest depth', { input: nested(MAX_DEPTH), metadata: nested(MAX_DEPTH) }],
])('%s passes unchanged', (_, given) => {
  expect(check(given)).toStrictEqual(given);
});

test('an event can also start a run, alone or with other fields of the run', () => {
  expect(check(event)).toStrictEqual({ event: checked });
  expect(check({ event: { ...event, to: null }, owner: 'u1' })).toStrictEqual({ event: checked, owner: 'u1' });
});

const form = 'Expected one argument `{"input": …, "owner"?: …, "metadata"?: {…}}`';
const delegates = 'Expected `delegatedBy` to be `{"agent": …, "id": …, "toolUseId": …, "lineage": […]}`';

test.each<[string, unknown, string]>([
  ['nothing', undefined, form],
  ['null', null, form],
  ['a text', 'mail 17', form],
  ['a list', [{ input: 1 }], form],
  ['the bare input of the agent', { mail: 17 }, "Unknown field `mail`; the agent's own input belongs under `input`"],
  ['an owner that is not a text', { owner: 7 }, 'Expected `owner` to be a string'],
  ['an owner that is null', { owner: null }, 'Expected `owner` to be a string'],
  ['metadata that is a text', { metadata: 'a' }, 'Expected `metadata` to be an object'],
  ['metadata that is a list', { metadata: [] }, 'Expected `metadata` to be an object'],
  ['a trace that is not a text', { traceparent: {} }, 'Expected `traceparent` to be a string'],
  ['a delegation that is a text', { delegatedBy: 'support.lead' }, delegates],
  ['a delegation that is null', { delegatedBy: null }, delegates],
  ['a delegation by no agent', { delegatedBy: { ...delegatedBy, agent: undefined } }, delegates],
  ['a delegation by no run', { delegatedBy: { ...delegatedBy, id: 7 } }, delegates],
  ['a delegation by no call', { delegatedBy: { ...delegatedBy, toolUseId: null } }, delegates],
  ['a delegation without lineage', { delegatedBy: { ...delegatedBy, lineage: 'support.lead' } }, delegates],
  ['a lineage of numbers', { delegatedBy: { ...delegatedBy, lineage: ['support.lead', 7] } }, delegates],
  ['an input that is too deep', { input: nested(MAX_DEPTH + 1) }, '`input` is nested deeper than 200 levels'],
  ['metadata that are too deep', { metadata: nested(MAX_DEPTH + 1) }, '`metadata` is nested deeper than 200 levels'],
  ['an event and an input', { event, input: null }, 'The input is the data of `event`; leave out `input`'],
  [
    'an event for another agent',
    { ...event, type: 'arvo.orc.support.desk' },
    'Expected an event of type `arvo.orc.support.triage`, got `arvo.orc.support.desk`',
  ],
])('%s does not start a run', (_, given, problem) => {
  expect(refusal(() => check(given))).toEqual(misfit(problem));
});

test('an invalid event is reported', () => {
  for (const given of [{ ...event, id: 7 }, { event: { ...event, id: 7 } }]) {
    expect(refusal(() => check(given))).toMatchObject({
      type: 'InvalidEvent',
      data: { problem: 'Expected `id` to be a string' },
    });
  }
});

test('an input may have as many bytes as fit with the rest of a payload', () => {
  const most = 'ä'.repeat(BYTES.input / 2 - 1);
  expect(jsonBytes(most)).toBe(BYTES.input);
  expect(check({ input: most, owner: 'u1' })).toEqual({ input: most, owner: 'u1' });
  expect(refusal(() => check({ input: `${most}x` }))).toEqual(
    misfit(`It is ${BYTES.input + 1} bytes, more than the limit of ${BYTES.input}; pass a reference to larger data`),
  );
});

test('owner and metadata together may have as many bytes as a summary can hold', () => {
  const metadata = { note: 'x'.repeat(1000) };
  const owner = 'u'.repeat(BYTES.metadata - jsonBytes(metadata) - jsonBytes(''));
  const most = { owner, metadata };
  expect(check(most)).toEqual(most);
  expect(refusal(() => check({ ...most, owner: `${owner}u` }))).toEqual(
    misfit(`\`owner\` and \`metadata\` are ${BYTES.metadata + 1} bytes, more than the limit of ${BYTES.metadata}`),
  );
  expect(check({ owner: 'u'.repeat(BYTES.metadata - 2) })).toHaveProperty('owner');
});

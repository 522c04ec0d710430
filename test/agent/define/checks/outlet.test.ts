import type { Outlet } from 'holdfast/worker';
import { checkOutlet } from '../../../../agent/define/checks/outlet';
import { fault } from '../../fault';

const url = 'https://example.com/in';
// A caller without types could write this.
const check = (outlet: unknown) => () => checkOutlet(outlet as Outlet, 'outlets.crm');

const KIND = 'Expected a function, the `url` of a webhook, or the `workflowId` of a signal';
const TIMEOUT = "Expected milliseconds or a duration such as '30s', at most 50 s";
const WORKFLOW = 'Expected the id of a workflow, or a function that makes it from the event';
const REFERENCE = "Expected `{ env: 'NAME' }`: keep secrets in the environment, and plain values in temporal.yaml";

it.each<[string, unknown, string]>([
  ['is a text', url, `: ${KIND}`],
  ['is nothing', null, `: ${KIND}`],
  ['has neither a `url` nor a `workflowId`', { signal: 'answer' }, `: ${KIND}`],
  ['has a misspelt field', { url, timeOut: 1 }, '.timeOut: Unknown field; did you mean `timeout`?'],
  [
    'has a strange field',
    { url, compressed_as: 'gzip' },
    '.compressed_as: Unknown field; known are `url`, `secret`, `headers`, `timeout`',
  ],
  [
    'has a field of a signal',
    { url, signal: 'x' },
    '.signal: Unknown field; known are `url`, `secret`, `headers`, `timeout`',
  ],
  ['has no address', { url: '' }, '.url: Expected a URL such as `https://example.com/events`'],
  [
    'has an address that is not a text',
    { url: undefined },
    '.url: Expected a URL such as `https://example.com/events`',
  ],
  [
    'has a password in its address',
    { url: 'https://u:p@example.com' },
    '.url: Expected a URL without user name and password; send an `Authorization` header',
  ],
  ['has its secret in code', { url, secret: 'whsec_AAAA' }, `.secret: ${REFERENCE}`],
  [
    'has a secret in its headers',
    { url, headers: { Authorization: 's3cret' } },
    `.headers.Authorization: ${REFERENCE}`,
  ],
  [
    'has a strange header',
    { url, headers: { 'X Key': { env: 'KEY' } } },
    '.headers.X Key: This is not a valid header name',
  ],
  ['has an invalid timeout', { url, timeout: 'soon' }, `.timeout: ${TIMEOUT}`],
  ['waits for too long', { url, timeout: 50_001 }, `.timeout: ${TIMEOUT}`],
])('a webhook that %s is refused', (_what, outlet, text) => {
  expect(fault(check(outlet))).toBe(`outlets.crm${text}`);
});

it.each<[string, unknown, string]>([
  ['a workflow without an id', { workflowId: '' }, `.workflowId: ${WORKFLOW}`],
  ['a number of a workflow', { workflowId: 7 }, `.workflowId: ${WORKFLOW}`],
  ['no name', { workflowId: 'w', signal: '' }, '.signal: Expected the name of a signal'],
  ['a number as its name', { workflowId: 'w', signal: 7 }, '.signal: Expected the name of a signal'],
  ['a misspelt field', { workflowId: 'w', signl: 'x' }, '.signl: Unknown field; did you mean `signal`?'],
  [
    'a field of a webhook',
    { workflowId: 'w', headers: {} },
    '.headers: Unknown field; known are `workflowId`, `signal`',
  ],
])('a signal with %s is refused', (_what, outlet, text) => {
  expect(fault(check(outlet))).toBe(`outlets.crm${text}`);
});

it.each<[string, unknown]>([
  ['a function', () => undefined],
  ['a webhook', { url }],
  [
    'a webhook that says everything',
    { url, secret: { env: 'SECRET' }, headers: { Authorization: { env: 'TOKEN' } }, timeout: '50s' },
  ],
  ['a signal to a workflow', { workflowId: 'desk' }],
  ['a signal to the workflow that a function names', { workflowId: () => 'desk', signal: 'answered' }],
])('an outlet may be %s', (_what, outlet) => {
  expect(check(outlet)).not.toThrow();
});

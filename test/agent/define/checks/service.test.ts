import { defineContract, type Service } from 'holdfast';
import { z } from 'zod';
import { checkService } from '../../../../agent/define/checks/service';
import { fault } from '../../fault';

const version = { accepts: z.object({}), emits: { 'evt.stock.check.success': z.object({}) } };
const contract = defineContract({ type: 'stock.check', versions: { '1.0.0': version, '1.1.0': version } });

// A caller without types could write this.
const check = (service: unknown) => () => checkService(service as Service, 'services.stock');
const signal = (more: object) => ({ kind: 'signal', contract, version: '1.0.0', ...more });
const child = (more: object) => ({ ...signal({ kind: 'child', workflow: 'checkStock', taskQueue: 'stock' }), ...more });
const agent = (more: object) => ({ ...signal({ kind: 'agent', agent: 'stock.keeper' }), ...more });
const event = (more: object) => ({ ...signal({ kind: 'event', outlet: 'crm' }), ...more });

const MADE = 'Expected a service made by `childWorkflow`, `agentService`, `eventService` or `signalService`';
const CONTRACT = 'Expected a contract made by `defineContract`';
const TEXT = 'Expected a non-empty string';
const DOMAIN = 'Expected a non-empty string, or a list of them';
const BY_DOMAIN = 'Expected a name, or a record with a name for each domain';

it.each<[string, unknown, string]>([
  ['is a text', 'stock', `: ${MADE}`],
  ['is nothing', null, `: ${MADE}`],
  ['has no kind', signal({ kind: undefined }), `: ${MADE}`],
  ['has a member of Object.prototype as its kind', signal({ kind: 'toString' }), `: ${MADE}`],
  ['has no contract', signal({ contract: undefined }), `: ${CONTRACT}`],
  ['has nothing as its contract', signal({ contract: null }), `: ${CONTRACT}`],
  ['has a contract not made by `defineContract`', signal({ contract: { versions: {} } }), `: ${CONTRACT}`],
  [
    'has a version that is none',
    signal({ version: '2.0.0' }),
    ': The contract `stock.check` has no version `2.0.0`; it has 1.0.0, 1.1.0',
  ],
  [
    'has a version that every object has',
    signal({ version: 'toString' }),
    ': The contract `stock.check` has no version `toString`; it has 1.0.0, 1.1.0',
  ],
  ['has an empty description', signal({ description: ' ' }), `.description: ${TEXT}`],
  ['has a number as its description', signal({ description: 7 }), `.description: ${TEXT}`],
  ['has an empty domain', signal({ domain: '' }), `.domain: ${DOMAIN}`],
  ['has no domain in its list', signal({ domain: [] }), `.domain: ${DOMAIN}`],
  ['has an empty domain in its list', signal({ domain: ['eu', ''] }), `.domain: ${DOMAIN}`],
  ['has a record of domains', signal({ domain: { eu: 'us' } }), `.domain: ${DOMAIN}`],
  ['names a domain two times', signal({ domain: ['eu', 'us', 'eu'] }), '.domain: It names `eu` more than once'],
  ['has an invalid priority', signal({ priority: 'high' }), '.priority: Expected a number, got `high`'],
  [
    'has a strange timeout',
    signal({ timeout: 'later' }),
    ".timeout: Expected milliseconds or a duration such as '7d', got `later`",
  ],
  ['has an invalid approval', signal({ approval: 'yes' }), '.approval: Expected `never`, `always` or rules, got `yes`'],
  ['has a misspelt field', child({ timeOut: 1 }), '.timeOut: Unknown field; did you mean `timeout`?'],
  ['has a field similar to two others', child({ fond: 1 }), '.fond: Unknown field; did you mean `form` or `kind`?'],
  [
    'has a field of another way',
    signal({ outlet: 'crm' }),
    '.outlet: Unknown field; known are `kind`, `contract`, `version`, `description`, `priority`, `timeout`, `domain`, `approval`',
  ],
  [
    'ends strangely',
    child({ parentClosePolicy: 'kill' }),
    '.parentClosePolicy: Expected one of `cancel`, `terminate`, `abandon`, got `kill`',
  ],
  ['has an unknown form', child({ form: 'xml' }), '.form: Expected one of `data`, `event`, got `xml`'],
  ['starts no workflow', child({ workflow: ' ' }), '.workflow: Expected the type of the workflow'],
  ['starts a number', child({ workflow: 7 }), '.workflow: Expected the type of the workflow'],
  ['runs no agent', agent({ agent: '' }), '.agent: Expected the name of the agent'],
  ['is sent nowhere', event({ outlet: undefined }), '.outlet: Expected the name of the outlet that sends the event'],
  ['has an empty receiver', event({ to: '' }), `.to: ${TEXT}`],
])('a service that %s is refused', (_what, service, text) => {
  expect(fault(check(service))).toBe(`services.stock${text}`);
});

describe.each<[string, string, (given: unknown, domain?: string | string[]) => object]>([
  ['a queue of a workflow', 'taskQueue', (taskQueue, domain) => child({ taskQueue, domain })],
  ['a queue of an agent', 'taskQueue', (taskQueue, domain) => agent({ taskQueue, domain })],
  ['an outlet', 'outlet', (outlet, domain) => event({ outlet, domain })],
])('%s', (_what, field, service) => {
  it.each<[unknown, string | string[] | undefined, string]>([
    ['', undefined, BY_DOMAIN],
    [7, undefined, BY_DOMAIN],
    [null, 'eu', BY_DOMAIN],
    [{ eu: 'q', us: '' }, 'eu', BY_DOMAIN],
    [{ eu: 'q' }, undefined, 'It has a name for each domain, so the service needs a `domain`'],
    [{ eu: 'q', us: 'r' }, 'asia', 'It has none for the domain `asia`, only for `eu`, `us`'],
    [{ eu: 'q' }, 'toString', 'It has none for the domain `toString`, only for `eu`'],
    [{}, 'eu', 'It has none for the domain `eu`, or any other'],
    [{ eu: 'q' }, ['eu', 'us'], 'It has none for the domain `us`, only for `eu`'],
  ])('cannot be %j for the domain %s', (given, domain, text) => {
    expect(fault(check(service(given, domain)))).toBe(`services.stock.${field}: ${text}`);
  });

  it('may be one for all domains, or one for each', () => {
    expect(check(service('q'))).not.toThrow();
    expect(check(service('q', 'eu'))).not.toThrow();
    expect(check(service({ eu: 'q', us: 'r' }, 'us'))).not.toThrow();
    expect(check(service({ eu: 'q', us: 'r', asia: 's' }, ['us', 'eu']))).not.toThrow();
    expect(check(service('q', ['us', 'eu']))).not.toThrow();
  });
});

it.each<[string, object]>([
  ['only wait', signal({})],
  ['start a workflow', child({})],
  ['run an agent', agent({})],
  ['send an event', event({})],
  ['send an event to a receiver', event({ to: 'com.carrier' })],
  [
    'say everything that all services may say',
    signal({ description: 'Counts', priority: -1, timeout: '7d', domain: 'eu', approval: 'always' }),
  ],
  ...['cancel', 'terminate', 'abandon'].flatMap((parentClosePolicy): [string, object][] => [
    [`${parentClosePolicy} a workflow`, child({ parentClosePolicy })],
    [`${parentClosePolicy} an agent`, agent({ parentClosePolicy })],
  ]),
  ['pass data', child({ form: 'data' })],
  ['pass events', child({ form: 'event' })],
])('a service may %s', (_what, service) => {
  expect(check(service)).not.toThrow();
});

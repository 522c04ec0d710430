import type { ServiceSpec } from '../../../agent/protocol/service-spec';
import { serviceInDomain } from '../../../workflows/calls/service-in-domain';

const contract = { uri: '#/c', version: '1.0.0', accepts: 'com.c', emits: {}, systemError: 'sys.com.c.error' };
const domains = { us: 'there', asia: null };
const shared = { contract, domain: 'eu', domains };
const child: ServiceSpec = { ...shared, kind: 'child', workflow: 'w', taskQueue: 'here', parentClosePolicy: 'cancel' };
const agent: ServiceSpec = { ...shared, kind: 'agent', workflow: 'a.b', parentClosePolicy: 'cancel' };
const event: ServiceSpec = { ...shared, kind: 'event', outlet: 'here', to: 'com.c' };
const signal: ServiceSpec = { ...shared, kind: 'signal', domains: { us: null } };

it.each<[string, ServiceSpec, object]>([
  ['a child workflow', child, { taskQueue: 'there' }],
  ['an agent', agent, { taskQueue: 'there' }],
  ['an event', event, { outlet: 'there' }],
  ['a signal', signal, {}],
])('%s goes where the domain of the run is', (_, service, place) => {
  expect(serviceInDomain(service, 'us')).toEqual({ ...service, domain: 'us', ...place });
});

it('goes to the same place where all domains share it', () => {
  expect(serviceInDomain(child, 'asia')).toEqual({ ...child, domain: 'asia' });
  expect(serviceInDomain(event, 'asia')).toEqual({ ...event, domain: 'asia' });
});

it.each([undefined, 'eu', 'moon', 'toString'])('goes to the first domain in a run of the domain %s', (domain) => {
  for (const service of [child, agent, event, signal]) expect(serviceInDomain(service, domain)).toBe(service);
});

it('has one domain where it names one', () => {
  const { domains: _, ...one } = child;
  expect(serviceInDomain(one, 'us')).toBe(one);
});

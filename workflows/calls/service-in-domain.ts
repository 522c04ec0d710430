import type { ServiceSpec } from '../../agent/protocol/service-spec';

/**
 * A service as it is reached from a run in some domain. Calls of a run that an event started stay in the domain of that
 * event where the service is there, and go to the first domain of the service where it is not.
 */
export function serviceInDomain(service: ServiceSpec, domain: string | undefined): ServiceSpec {
  const { domains = {} } = service;
  if (domain === undefined || !Object.hasOwn(domains, domain)) return service;
  const there = domains[domain] ?? undefined;
  const chosen = { ...service, domain };
  if (there === undefined || chosen.kind === 'signal') return chosen;
  return chosen.kind === 'event' ? { ...chosen, outlet: there } : { ...chosen, taskQueue: there };
}

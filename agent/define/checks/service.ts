import { type ByDomain, domainsOf, type Service } from '../service-definition';
import { checkApproval } from './approval';
import { checkBudget } from './budget';
import { checkDuration, checkFields, fail, isText } from './fail';

const COMMON = ['kind', 'contract', 'version', 'description', 'priority', 'timeout', 'domain', 'approval'];
const FIELDS: { readonly [kind in Service['kind']]: readonly string[] } = {
  child: [...COMMON, 'workflow', 'taskQueue', 'parentClosePolicy', 'form'],
  agent: [...COMMON, 'agent', 'taskQueue', 'parentClosePolicy', 'budget'],
  event: [...COMMON, 'outlet', 'to'],
  signal: COMMON,
};
const WORDS: { readonly [field: string]: readonly string[] } = {
  parentClosePolicy: ['cancel', 'terminate', 'abandon'],
  form: ['data', 'event'],
};

/** Checks a service; `place` names it in messages. */
export function checkService(service: Service, place: string): void {
  if (typeof service !== 'object' || service === null || !Object.hasOwn(FIELDS, String(service.kind)))
    fail(place, 'Expected a service made by `childWorkflow`, `agentService`, `eventService` or `signalService`');
  checkContract(service, place);
  checkFields(service, FIELDS[service.kind], place);
  checkWords(service, place);
  const { description, priority, timeout, domain, approval } = service;
  if (description !== undefined && !isText(description)) fail(`${place}.description`, 'Expected a non-empty string');
  checkDomain(domain, `${place}.domain`);
  if (priority !== undefined && !Number.isFinite(priority))
    fail(`${place}.priority`, `Expected a number, got \`${String(priority)}\``);
  checkDuration(timeout, `${place}.timeout`, '7d');
  if (approval !== undefined) checkApproval(approval, `${place}.approval`);
  checkWay(service, place);
}

function checkContract({ contract, version }: Service, place: string): void {
  if (typeof contract !== 'object' || contract === null || typeof contract.systemError !== 'string')
    fail(place, 'Expected a contract made by `defineContract`');
  if (Object.hasOwn(contract.versions, version)) return;
  const known = Object.keys(contract.versions).join(', ');
  fail(place, `The contract \`${contract.name}\` has no version \`${String(version)}\`; it has ${known}`);
}

function checkWords(service: Service, place: string): void {
  for (const [field, words] of Object.entries(WORDS)) {
    const word: unknown = Reflect.get(service, field);
    if (word !== undefined && !words.includes(word as string))
      fail(
        `${place}.${field}`,
        `Expected one of ${words.map((one) => `\`${one}\``).join(', ')}, got \`${String(word)}\``,
      );
  }
}

function checkWay(service: Service, place: string): void {
  switch (service.kind) {
    case 'child':
      if (!isText(service.workflow)) fail(`${place}.workflow`, 'Expected the type of the workflow');
      if (service.taskQueue === undefined) {
        fail(
          `${place}.taskQueue`,
          "Expected the task queue of the workflow's worker; an agent's workers run only agents",
        );
      }
      checkByDomain(service.taskQueue, service.domain, `${place}.taskQueue`);
      break;
    case 'agent':
      if (!isText(service.agent)) fail(`${place}.agent`, 'Expected the name of the agent');
      checkBudget(service.budget, `${place}.budget`);
      checkByDomain(service.taskQueue, service.domain, `${place}.taskQueue`);
      break;
    case 'event':
      if (service.outlet === undefined) fail(`${place}.outlet`, 'Expected the name of the outlet that sends the event');
      if (service.to !== undefined && !isText(service.to)) fail(`${place}.to`, 'Expected a non-empty string');
      checkByDomain(service.outlet, service.domain, `${place}.outlet`);
      break;
    case 'signal':
  }
}

function checkDomain(domain: Service['domain'], place: string): void {
  if (domain === undefined || isText(domain)) return;
  if (!Array.isArray(domain) || domain.length === 0 || !domain.every(isText))
    fail(place, 'Expected a non-empty string, or a list of them');
  const repeated = domain.find((name, i) => domain.indexOf(name) !== i);
  if (repeated !== undefined) fail(place, `It names \`${repeated}\` more than once`);
}

function checkByDomain(given: ByDomain | undefined, domain: Service['domain'], place: string): void {
  if (given === undefined || isText(given)) return;
  if (typeof given !== 'object' || given === null || !Object.values(given).every(isText))
    fail(place, 'Expected a name, or a record with a name for each domain');
  if (domain === undefined) fail(place, 'It has a name for each domain, so the service needs a `domain`');
  const missing = domainsOf({ domain }).find((name) => !Object.hasOwn(given, name));
  if (missing === undefined) return;
  const known = Object.keys(given).map((name) => `\`${name}\``);
  fail(
    place,
    `It has none for the domain \`${missing}\`, ${known.length > 0 ? `only for ${known.join(', ')}` : 'or any other'}`,
  );
}

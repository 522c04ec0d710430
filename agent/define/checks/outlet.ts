import { milliseconds } from '../../values/duration';
import { isWebhook, type Outlet, type SignalOutlet, WEBHOOK_TIMEOUT, type WebhookOutlet } from '../outlet';
import { checkFields, fail, isText } from './fail';
import { checkHeaders, checkReference } from './headers';
import { urlProblem } from './server';

const FIELDS = { webhook: ['url', 'secret', 'headers', 'timeout'], signal: ['workflowId', 'signal'] };

/**
 * Checks an outlet that is defined in code.
 * @throws HoldfastError `InvalidDefinition`
 */
export function checkOutlet(outlet: Outlet, place: string): void {
  if (typeof outlet === 'function') return;
  const fits = typeof outlet === 'object' && outlet !== null && ('url' in outlet || 'workflowId' in outlet);
  if (!fits) fail(place, 'Expected a function, the `url` of a webhook, or the `workflowId` of a signal');
  if (isWebhook(outlet)) checkWebhook(outlet, place);
  else checkSignal(outlet, place);
}

function checkWebhook(outlet: WebhookOutlet, place: string): void {
  checkFields(outlet, FIELDS.webhook, place);
  const problem = urlProblem(String(outlet.url), 'https://example.com/events');
  if (problem !== undefined) fail(`${place}.url`, problem);
  if (outlet.secret !== undefined) checkReference(outlet.secret, `${place}.secret`);
  checkHeaders(outlet.headers, `${place}.headers`);
  if (outlet.timeout === undefined) return;
  const timeout = milliseconds(outlet.timeout);
  if (timeout === undefined || timeout > WEBHOOK_TIMEOUT.most) {
    fail(`${place}.timeout`, "Expected milliseconds or a duration such as '30s', at most 50 s");
  }
}

function checkSignal(outlet: SignalOutlet, place: string): void {
  checkFields(outlet, FIELDS.signal, place);
  const { workflowId, signal } = outlet;
  if (typeof workflowId !== 'function' && !isText(workflowId)) {
    fail(`${place}.workflowId`, 'Expected the id of a workflow, or a function that makes it from the event');
  }
  if (signal !== undefined && !isText(signal)) fail(`${place}.signal`, 'Expected the name of a signal');
}

import { urlProblem } from '../../agent/define/checks/server';
import { WEBHOOK_TIMEOUT } from '../../agent/define/outlet';
import { secretProblem } from '../webhook-signature';
import { duration, eitherOf, headers, section, text } from './fields';

const webhook = section({
  url: text.check(({ value, issues }) => {
    const message = urlProblem(value, 'https://example.com/events');
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  }),
  secret: text
    .check(({ value, issues }) => {
      const message = secretProblem(value);
      if (message !== undefined) issues.push({ code: 'custom', input: value, message });
    })
    .exactOptional(),
  headers: headers.exactOptional(),
  timeout: duration
    .refine((value) => value <= WEBHOOK_TIMEOUT.most, { error: 'Expected at most 50 s' })
    .exactOptional(),
});
const signal = section({ workflowId: text, signal: text.exactOptional() });

/** An outlet as temporal.yaml may define it: outlets that are functions are defined in code. */
export const outlet = eitherOf(
  ['url', webhook],
  ['workflowId', signal],
  'Expected the `url` of a webhook, or the `workflowId` of a workflow that gets a signal',
);

import { z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { HoldfastError } from '../../../agent/errors/error';
import { checkEvent, type GivenEvent } from '../../../agent/protocol/event';
import { defined } from '../../../agent/values/defined';
import { readWebhook } from '../../waits/receive-webhook';
import { type App, addRoute, type Deps, type Env } from '../api';
import { outcomeOf } from '../audit';
import { RequestRefused } from '../failure';
import { sizeGuard } from '../guard/body';
import { ok } from './shapes';

/** Answers of services, as events. */
export function addServiceAnswers(app: App, deps: Deps): void {
  const { access, answerers, webhooks, log } = deps;
  addRoute(
    app,
    deps,
    {
      method: 'post',
      path: '/v1/events',
      tag: 'Services',
      summary: "A service's answer, as a CloudEvent",
      description:
        'Its `subject` names the run. The facts show whether the run takes it. Answers to event services, and to services of a webhook, need the scope `decide`.',
      scope: 'message',
      orScope: 'decide',
      audit: 'event',
      status: 202,
      body: z.looseObject({ subject: z.string().min(1).max(1000) }),
      answer: ok,
    },
    async ({ principal, body, note }) => {
      note({ id: body.subject });
      await access.open(principal, body.subject);
      const event = checkEvent(body);
      const bound = await answerers.keyForEvent(principal, event);
      await access.client.completeService({ ...event, ...defined({ parentid: bound }) });
      return {};
    },
  );
  // Authenticated by its signature, and not by a token.
  const secretOf = (name: string) => (Object.hasOwn(webhooks, name) ? webhooks[name]?.secret : undefined);
  const known: MiddlewareHandler<Env, '/webhooks/:name'> = async (c, next) => {
    // Of a sender who is not even configured no body is read.
    if (secretOf(c.req.param('name')) === undefined || !isSigned(c.req.raw.headers)) throw unsigned();
    await next();
  };
  app.post('/webhooks/:name', known, sizeGuard(deps.maxBody), async (c) => {
    const name = c.req.param('name');
    const secret = secretOf(name) ?? '';
    let event: GivenEvent;
    try {
      event = readWebhook({ headers: c.req.raw.headers, body: new Uint8Array(await c.req.arrayBuffer()), secret });
    } catch (error) {
      // Nothing but the log says what is wrong with it.
      if (!(error instanceof HoldfastError) || error.type !== 'InvalidSignature') throw error;
      log.warn({ webhook: name, problem: error.message }, 'A webhook was refused');
      throw unsigned();
    }
    const tell = (error?: unknown) => {
      log.info({ audit: 'webhook', webhook: name, id: event.subject, outcome: outcomeOf(error) }, 'Audit');
    };
    try {
      const bound = await answerers.keyForWebhook(name, event);
      await access.client.completeService({ ...event, ...defined({ parentid: bound }) });
    } catch (error) {
      tell(error);
      throw error;
    }
    tell();
    return c.json({}, 202);
  });
}

function isSigned(headers: Headers): boolean {
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].every((name) => headers.has(name));
}

function unsigned(): RequestRefused {
  return new RequestRefused(401, 'InvalidSignature', 'The webhook is not signed with the secret of this name.');
}

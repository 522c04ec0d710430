import { z } from '@hono/zod-openapi';
import { isAgentName } from '../../../agent/define/agent-name';
import { HoldfastError } from '../../../agent/errors/error';
import { defined } from '../../../agent/values/defined';
import type { Json, JsonObject } from '../../../agent/values/json';
import { soon } from '../../requests/soon';
import { type App, addRoute, addRunRoute, type Call, type Deps } from '../api';
import { maySee, ownersSeenBy } from '../runs/access';
import { fields, json, line, object, ok, oneOf, remember, waiting, waitingOfAll } from './shapes';

const hash = z
  .string()
  .max(100)
  .optional()
  .openapi({ description: 'Of the arguments that were seen. Others are refused.' });

/** What waits for people, their decisions and their answers. */
export function addWaits(app: App, deps: Deps): void {
  const { access, answerers } = deps;
  addRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/v1/waiting',
      tag: 'Waits',
      summary: 'What waits for people in all runs',
      scope: 'read',
      query: fields({ agent: z.string().max(200).optional() }),
      answer: waitingOfAll,
    },
    async ({ principal, query: { agent } }) => {
      if (agent !== undefined && !isAgentName(agent)) throw new HoldfastError('InvalidAgentName', { name: agent });
      const found = await access.client.waiting({ ...defined({ agent }), ...ownersSeenBy(principal) });
      // These say themselves whose they are.
      const seen = <T extends { owner?: string }>(all: readonly T[]) =>
        all.filter(({ owner }) => maySee(principal, owner));
      return { ...found, approvals: seen(found.approvals), questions: seen(found.questions) };
    },
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/waiting',
      tag: 'Waits',
      summary: 'What a run, and the agents that work for it, wait for',
      scope: 'read',
      answer: waiting,
    },
    ({ handle }) => handle.waiting(),
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/problem',
      tag: 'Waits',
      summary: 'Why nothing happens in a run',
      description:
        'Such as a model that gives no answer, also that of an agent which works for the run. Without `problem` there is no known reason: the run works, waits for a person, or has ended. That no worker answers is known without one.',
      scope: 'read',
      answer: z.object({ problem: z.string().optional() }),
    },
    ({ id }) => soon(access.client.temporal, async () => defined({ problem: await access.problemOf(id) })),
  );
  const decision = { method: 'post', tag: 'Waits', scope: 'decide', answer: object } as const;
  const decider = ({ principal: { user, roles } }: Call<unknown, unknown>) => ({ by: user, roles: [...roles] });
  addRunRoute(
    app,
    deps,
    {
      ...decision,
      path: '/calls/{toolUseId}/approve',
      summary: 'Let a call run',
      audit: 'approve',
      body: fields({ hash, remember, comment: line.optional() }),
    },
    ({ handle }, call) => {
      const { hash: seen, ...rest } = call.body;
      return handle.approve(
        { toolUseId: call.params.toolUseId ?? '', ...defined({ hash: seen }) },
        { ...decider(call), ...defined(rest) },
      );
    },
  );
  addRunRoute(
    app,
    deps,
    {
      ...decision,
      path: '/calls/{toolUseId}/deny',
      summary: 'Keep a call from running',
      audit: 'deny',
      body: fields({ hash, remember, reason: line.optional() }),
    },
    ({ handle }, call) => {
      const { hash: seen, ...rest } = call.body;
      return handle.deny(
        { toolUseId: call.params.toolUseId ?? '', ...defined({ hash: seen }) },
        { ...decider(call), ...defined(rest) },
      );
    },
  );
  addRunRoute(
    app,
    deps,
    {
      ...decision,
      path: '/calls/{toolUseId}/edit',
      summary: 'Let a call run with other arguments',
      audit: 'edit',
      body: fields({ hash, input: object, remember, comment: line.optional() }),
    },
    ({ handle }, call) => {
      const { hash: seen, input, ...rest } = call.body;
      return handle.edit(
        { toolUseId: call.params.toolUseId ?? '', ...defined({ hash: seen }) },
        { ...decider(call), ...defined(rest), input: input as JsonObject },
      );
    },
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'post',
      tag: 'Waits',
      scope: 'message',
      path: '/questions/{questionId}/answer',
      summary: 'Answer a question, or decline to',
      audit: 'answer',
      body: oneOf({ answer: json }, { decline: z.literal(true), reason: line.optional() }),
      answer: object,
    },
    ({ handle }, { body, params, principal: { user: by } }) => {
      const question = params.questionId ?? '';
      if ('decline' in body) return handle.decline(question, { by, ...defined({ reason: body.reason }) });
      return handle.answer(question, body.answer as Json, { by });
    },
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'post',
      tag: 'Waits',
      scope: 'message',
      orScope: 'decide',
      path: '/calls/{toolUseId}/result',
      summary: 'Answer a call that waits for its result',
      description:
        'The facts show whether the run takes it: an unexpected one is counted, and changes nothing. Answers to event services, and to services of a webhook, need the scope `decide`.',
      audit: 'result',
      status: 202,
      body: oneOf(
        { data: json, idempotencyKey: z.string().max(300).optional() },
        { error: z.string().max(100_000), idempotencyKey: z.string().max(300).optional() },
      ),
      answer: ok,
    },
    async ({ id }, { body, params, principal }) => {
      const { toolUseId = '' } = params;
      const bound = await answerers.keyFor(principal, id, { toolUseId, ref: body.idempotencyKey });
      const about = defined({ idempotencyKey: bound ?? body.idempotencyKey });
      const answer = 'error' in body ? { error: body.error } : { data: body.data as Json };
      await access.client.completeCall(id, toolUseId, { ...answer, ...about });
      return {};
    },
  );
}

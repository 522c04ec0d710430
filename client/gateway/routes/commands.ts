import { z } from '@hono/zod-openapi';
import type { BudgetAmounts } from '../../../agent/budget/budget';
import { defined } from '../../../agent/values/defined';
import { type App, addRunRoute, type Deps } from '../api';
import { amounts, contentOf, fields, line, message, object, ok, receipt, text } from './shapes';

/** What people say to a run, apart from decisions and answers. */
export function addCommands(app: App, deps: Deps): void {
  const post = { method: 'post', scope: 'message' } as const;
  addRunRoute(
    app,
    deps,
    { ...post, path: '/messages', summary: 'Send a message', audit: 'send', body: message, answer: receipt },
    ({ handle }, { body, principal }) =>
      handle.send(contentOf(body), { by: principal.user, ...defined({ id: body.id }) }),
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/steer',
      summary: 'Say something during an exchange',
      description: 'With `when: now` a model call in progress is stopped for it.',
      audit: 'steer',
      body: message.extend({ when: z.enum(['queue', 'now']).optional() }),
      answer: receipt,
    },
    ({ handle }, { body, principal }) =>
      handle.steer(contentOf(body), { by: principal.user, ...defined({ id: body.id, when: body.when }) }),
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/interrupt',
      summary: 'Stop the exchange in progress',
      audit: 'interrupt',
      answer: z.object({ exchange: z.number().int() }),
    },
    ({ handle }, { principal }) => handle.interrupt({ by: principal.user }),
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/cancel',
      summary: 'Stop the run',
      description: 'It does not wait for the end.',
      audit: 'cancel',
      status: 202,
      answer: ok,
    },
    async ({ handle }) => {
      await handle.cancel();
      return {};
    },
  );
  addRunRoute(
    app,
    deps,
    { ...post, path: '/regenerate', summary: 'Answer the last message again', audit: 'regenerate', answer: receipt },
    ({ handle }, { principal }) => handle.regenerate({ by: principal.user }),
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/undo',
      summary: 'Undo effects of tools',
      description: 'The last `count`, the newest first, or that of one call. It waits until they are undone.',
      audit: 'undo',
      body: fields({ count: z.number().int().min(1).optional(), toolUseId: z.string().max(100).optional() }),
      answer: z.object({ undone: z.array(object) }),
    },
    ({ handle }, { body: { count = 1, toolUseId }, principal, signal }) =>
      handle.undo(toolUseId === undefined ? count : { toolUseId }, { by: principal.user, signal }),
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/compact',
      summary: 'Replace old messages in what the model is sent',
      audit: 'compact',
      body: fields({ keep: z.number().int().min(0).optional() }),
      answer: object,
    },
    ({ handle }, { body: { keep }, principal }) => handle.compact({ by: principal.user, ...defined({ keep }) }),
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/rename',
      summary: 'Give the run a title',
      audit: 'rename',
      body: fields({ title: line }),
      answer: ok,
    },
    async ({ handle }, { body: { title }, principal }) => {
      await handle.rename(title, { by: principal.user });
      return {};
    },
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/close',
      summary: 'End the conversation after the messages that wait',
      audit: 'close',
      answer: object,
    },
    ({ handle }, { principal }) => handle.close({ by: principal.user }),
  );
  addRunRoute(
    app,
    deps,
    { ...post, path: '/retry', summary: 'Call a model again that does not answer', audit: 'retry', answer: ok },
    async ({ handle }, { principal }) => {
      await handle.retry({ by: principal.user });
      return {};
    },
  );
  addRunRoute(
    app,
    deps,
    {
      ...post,
      path: '/model',
      summary: 'Use another model from now on',
      audit: 'switchModel',
      body: fields({ model: text.max(200) }),
      answer: object,
    },
    ({ handle }, { body: { model }, principal }) => handle.switchModel(model, { by: principal.user }),
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'post',
      path: '/budget',
      summary: 'Raise limits of the budget',
      description: 'Takes the new limits, not what is added.',
      scope: 'decide',
      audit: 'raiseBudget',
      body: fields({ ...amounts, scope: z.enum(['run', 'exchange']).optional() }),
      answer: object,
    },
    ({ handle }, { body: { scope, ...limits }, principal }) =>
      handle.raiseBudget(defined(limits) as BudgetAmounts, { by: principal.user, ...defined({ scope }) }),
  );
}

import { z } from '@hono/zod-openapi';
import { pollers } from '../../../runtime/temporal/pollers';
import { soon } from '../../requests/soon';
import { type App, addRoute, type Deps } from '../api';
import { object } from './shapes';

/** Who asks, what there is, and whether it is up. */
export function addInfo(app: App, deps: Deps): void {
  addRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/v1/me',
      tag: 'About',
      summary: 'Who the caller is',
      answer: z.object({
        user: z.string(),
        tenant: z.string().optional(),
        scopes: z.array(z.string()),
        roles: z.array(z.string()),
      }),
    },
    async ({ principal: { user, tenant, scopes, roles } }) => ({ user, tenant, scopes: [...scopes], roles }),
  );
  addRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/v1/info',
      tag: 'About',
      summary: 'What is up',
      scope: 'read',
      answer: z.object({
        version: z.string(),
        namespace: z.string(),
        taskQueue: z.string(),
        temporal: z.object({ reachable: z.boolean() }),
        worker: z.object({ polling: z.boolean() }),
        webUi: z.string().optional(),
      }),
    },
    async () => {
      const { client } = deps.access;
      const { taskQueue } = client;
      const { namespace } = client.temporal.options;
      const found = await soon(client.temporal, () => pollers(client.temporal.connection, namespace, taskQueue)).catch(
        () => undefined,
      );
      return {
        version: deps.version,
        namespace,
        taskQueue,
        temporal: { reachable: found !== undefined },
        worker: { polling: found !== undefined && found.length > 0 },
        ...(deps.webUi === undefined ? {} : { webUi: `${deps.webUi}/namespaces/${namespace}/workflows/` }),
      };
    },
  );
  addRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/v1/agents',
      tag: 'About',
      summary: 'The agents that can be started',
      scope: 'read',
      answer: z.object({
        agents: z.array(
          z.object({
            name: z.string(),
            description: z.string().optional(),
            mode: z.enum(['task', 'conversation']),
            inputSchema: object.optional(),
          }),
        ),
      }),
    },
    async () => ({ agents: deps.agents.map(({ agent: _, ...info }) => info) }),
  );
}

import { z } from '@hono/zod-openapi';
import { HoldfastError } from '../../../agent/errors/error';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';
import { whileLinked } from '../../../runtime/abort/linked-abort';
import { soon } from '../../requests/soon';
import type { SessionFilter } from '../../runs/sessions';
import type { AgentInfo } from '../agent-info';
import { type App, addRoute, addRunRoute, type Deps } from '../api';
import { ownerOf } from '../auth/principal';
import { ownersSeenBy, runIdOf } from '../runs/access';
import { amounts, count, fields, json, object, session, state } from './shapes';

/** Start, list, look, delete. */
export function addRuns(app: App, deps: Deps): void {
  const { access } = deps;
  addRoute(
    app,
    deps,
    {
      method: 'post',
      path: '/v1/runs',
      tag: 'Runs',
      summary: 'Start a run',
      description: 'With the same `Idempotency-Key`, agent and input it is started once.',
      scope: 'start',
      audit: 'start',
      status: 201,
      body: fields({
        agent: z.string().max(200),
        input: json.optional(),
        title: z.string().max(200).optional(),
        metadata: object.optional(),
        version: z.string().max(50).optional(),
        budget: fields({ ...amounts, perExchange: fields(amounts).optional(), soft: z.number().optional() }).optional(),
      }),
      answer: z.object({ id: z.string(), agent: z.string() }),
    },
    async ({ principal, key, note, body: { agent: name, input, ...options } }) => {
      const { agent } = agentNamed(deps, name);
      const id = key === undefined ? runIdOf(principal) : runIdOf(principal, 'run', key);
      note({ id, agent: name });
      await access.client.start(agent, { ...(defined(options) as object), id, input, owner: ownerOf(principal) });
      return { id, agent: name };
    },
  );
  addRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/v1/runs',
      tag: 'Runs',
      summary: 'List runs',
      description: 'Open ones first, then ended ones, the newest of each first.',
      scope: 'read',
      query: fields({
        agent: z.string().max(200).optional(),
        owner: z.string().max(1000).optional(),
        status: z
          .enum(['running', 'waiting', 'completed', 'failed', 'cancelled', 'terminated', 'timed out'])
          .optional(),
        limit: count.max(500).optional(),
      }),
      answer: z.object({ runs: z.array(session) }),
    },
    async ({ principal, query }) => {
      const { owner } = query;
      const filter: SessionFilter = { ...defined(query), ...ownersSeenBy(principal) };
      const found = await access.visible(
        principal,
        await soon(access.client.temporal, () => access.client.sessions(filter)),
      );
      // A caller who sees only their own runs finds no runs of another owner.
      return { runs: owner === undefined ? found : found.filter((one) => one.owner === owner) };
    },
  );
  addRunRoute(
    app,
    deps,
    { method: 'get', path: '', summary: 'The state of a run', scope: 'read', answer: state },
    ({ handle }) => handle.state(),
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/transcript',
      summary: 'The messages of a run',
      description: '`form=openai`: as those of chat completions.',
      scope: 'read',
      query: fields({
        from: z.coerce.number().int().min(0).optional(),
        form: z.enum(['parts', 'openai']).optional(),
      }),
      answer: z.object({ messages: z.array(object) }),
    },
    async ({ handle }, { query }) => {
      const { from, form } = query;
      const options = defined({ from });
      return {
        messages: await (form === 'openai' ? handle.transcript({ ...options, form }) : handle.transcript(options)),
      };
    },
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/result',
      summary: 'The result of a run',
      description: 'Waits up to `wait` seconds for it. Without one in that time, `status` is `running`.',
      scope: 'read',
      query: fields({ wait: z.coerce.number().min(0).max(60).optional() }),
      answer: z.looseObject({ status: z.enum(['running', 'completed', 'failed']), data: json.optional() }),
    },
    async ({ handle }, { query: { wait = 0 }, signal }) => {
      // The result of a run that has ended needs no wait, only the time that it takes to read it.
      const isOpen = await access.isOpen(handle.id);
      if (isOpen && wait === 0) return { status: 'running' };
      const time = AbortSignal.timeout(isOpen ? wait * 1000 : TO_READ);
      try {
        const result = await whileLinked([signal, time], (until) => handle.result({ signal: until }));
        return { status: 'completed', ...(result as unknown as JsonObject) };
      } catch (error) {
        if (time.aborted || signal.aborted) return { status: 'running' };
        if (!(error instanceof HoldfastError) || AWAY.has(error.type)) throw error;
        return { status: 'failed', error: error.toJSON() };
      }
    },
  );
  addRunRoute(
    app,
    deps,
    { method: 'delete', path: '', summary: 'Delete a run that has ended', scope: 'admin', audit: 'delete' },
    async ({ id }) => {
      await access.client.delete(id);
      access.forget(id);
    },
  );
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/calls/{toolUseId}/result',
      summary: 'The whole result of a call',
      scope: 'read',
      answer: z.object({ content: z.array(object) }),
    },
    async ({ handle, id }, { params }) => {
      const content = await handle.toolResult(params.toolUseId ?? '');
      if (content === undefined) {
        throw new HoldfastError('InvalidMessage', { problem: `The run \`${id}\` has no result of this call` });
      }
      return { content };
    },
  );
}

/** Milliseconds that the result of a run that has ended may take. */
const TO_READ = 10_000;

/** Errors of the request itself, and not the end of the run. */
const AWAY: ReadonlySet<string> = new Set([
  'RunNotFound',
  'NoServer',
  'NoWorker',
  'NamespaceNotFound',
  'ServerRefused',
]);

/** @throws HoldfastError `UnknownAgent` */
export function agentNamed({ agents }: Pick<Deps, 'agents'>, name: string): AgentInfo {
  const found = agents.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new HoldfastError('UnknownAgent', { agent: name, known: agents.map((one) => one.name) });
}

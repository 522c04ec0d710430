import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Log } from '../../agent/define/context';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import type { GatewayWebhook } from '../../runtime/config/gateway';
import type { AgentInfo } from './agent-info';
import { type Audited, tellAudit } from './audit';
import { has, type Principal, type Scope } from './auth/principal';
import { RequestRefused } from './failure';
import { invalid } from './guard/body';
import type { CallerLimits } from './guard/limits';
import { type Access, commandIdOf, demand, type OpenRun } from './runs/access';
import type { Answerers } from './runs/answerers';

/** What every route works with. */
export interface Deps {
  access: Access;
  agents: readonly AgentInfo[];
  limits: CallerLimits;
  /** Bytes of a body. */
  maxBody: number;
  log: Log;
  /** Senders of webhooks, by name. */
  webhooks: Readonly<Record<string, GatewayWebhook>>;
  /** Who may answer which services. */
  answerers: Answerers;
  webUi?: string | undefined;
  version: string;
  /** Aborts when the server is about to end: streams then close, and their readers go on elsewhere. */
  draining: AbortSignal;
}

export type Env = { Variables: { principal: Principal } };
export type App = OpenAPIHono<Env>;

/** A request that is authenticated, and fits its route. */
export interface Call<Body, Query> {
  principal: Principal;
  /** Parts of the path. */
  params: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
  /** The `Idempotency-Key`, if there is one. */
  key?: string;
  /** Aborts when the caller has gone, or the server is about to end. */
  signal: AbortSignal;
  /** Aborts the signal: the stream that answers the request has ended. */
  leave(): void;
  context: Context<Env>;
  /** Adds to the line of the audit log what the path does not say. */
  note(about: Omit<Audited, 'audit'>): void;
}

/** A route of the API, as the OpenAPI document shows it. */
export interface Spec<Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType> {
  method: 'get' | 'post' | 'delete';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** What the caller needs. Missing: any known caller. */
  scope?: Scope | readonly Scope[];
  /** A scope that does as well. */
  orScope?: Scope;
  body?: Body;
  query?: Query;
  /** Missing: there is no body (204), or a stream. */
  answer?: Answer;
  /** Media type of a stream. */
  stream?: string;
  /** When there is nothing to stream (204). */
  empty?: string;
  status?: ContentfulStatusCode;
  /** It changes something: a line of the audit log says who did it. */
  audit?: string;
}

/** A name, or an id, in a path. */
const pathPart = z.string().min(1).max(1000);
const keyHeader = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .openapi({ description: 'A request that is repeated with the same key is carried out once.' });

const problem = z
  .object({
    error: z.object({ type: z.string(), message: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
  })
  .openapi('Error');

/** Adds a route. Whatever it needs, scope included, is checked before `handle` is called. */
export function addRoute<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(
  app: App,
  { draining, log }: Deps,
  spec: Spec<Body, Query, Answer>,
  handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<unknown>,
): void {
  const { scope, orScope, audit, status = spec.answer === undefined && spec.stream === undefined ? 204 : 200 } = spec;
  app.openapi(routeOf(spec, status), async (c) => {
    const context = c as unknown as Context<Env>;
    const principal = context.get('principal');
    const about: Omit<Audited, 'audit'> = { ...context.req.param() };
    const tell = (error?: unknown) => {
      if (audit !== undefined) tellAudit(log, principal, { audit, ...about }, error);
    };
    try {
      if (orScope === undefined || !has(principal, orScope)) {
        for (const one of [scope ?? []].flat()) demand(principal, one);
      }
    } catch (error) {
      tell(error);
      throw error;
    }
    // The stream would have no reader.
    if (spec.stream !== undefined && context.req.method === 'HEAD') return c.body(null, 200) as never;
    const valid = (target: string) => (context.req.valid as (target: string) => unknown)(target);
    const header = context.req.header('idempotency-key');
    const { signal, abort: leave, unlink } = linkedAbort(context.req.raw.signal, draining);
    const call = {
      principal,
      params: (valid('param') ?? {}) as Record<string, string>,
      body: (spec.body === undefined ? undefined : valid('json')) as z.output<Body>,
      query: (spec.query === undefined ? undefined : valid('query')) as z.output<Query>,
      ...(header === undefined ? {} : { key: header }),
      signal,
      leave,
      context,
      note: (more: Omit<Audited, 'audit'>) => void Object.assign(about, more),
    };
    const outcome = await handle(call).catch((given: unknown) => {
      const error = signal.aborted && given === signal.reason ? stopped() : given;
      unlink();
      tell(error);
      throw error;
    });
    tell();
    // A stream is left when it has ended.
    if (!(outcome instanceof Response) || outcome.body === null) unlink();
    if (outcome instanceof Response) return outcome as never;
    return (status === 204 ? c.body(null, 204) : c.json(outcome as object, status as 200)) as never;
  });
}

/** A route about one run, which the caller may see. */
export function addRunRoute<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(
  app: App,
  deps: Deps,
  spec: Omit<Spec<Body, Query, Answer>, 'tag'> & { tag?: string },
  handle: (run: OpenRun, call: Call<z.output<Body>, z.output<Query>>) => Promise<unknown>,
): void {
  const path = `/v1/runs/{id}${spec.path}`;
  addRoute(app, deps, { tag: 'Runs', ...spec, path }, async (call) => {
    const { principal, params, key } = call;
    const command =
      key === undefined ? undefined : commandIdOf(principal, spec.method, path, JSON.stringify(params), key);
    return handle(await deps.access.open(principal, params.id ?? '', command), call);
  });
}

function routeOf<Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>(
  {
    method,
    path,
    tag,
    summary,
    description,
    body,
    query,
    answer,
    stream,
    empty,
    scope,
    orScope,
  }: Spec<Body, Query, Answer>,
  status: ContentfulStatusCode | 204,
) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const params =
    names.length === 0 ? {} : { params: z.object(Object.fromEntries(names.map((name) => [name, pathPart]))) };
  const headers = method === 'get' ? {} : { headers: z.object({ 'idempotency-key': keyHeader.optional() }) };
  const scopes = [scope ?? []].flat().map((one) => `\`${one}\``);
  const or = orScope === undefined ? '' : ` or \`${orScope}\``;
  const needs = scopes.length === 0 ? '' : `Needs the scope ${scopes.join(' and ')}${or}.`;
  const text = [description, needs].filter((one) => one !== undefined && one !== '').join(' ');
  const content =
    stream !== undefined
      ? { content: { [stream]: { schema: z.string() } } }
      : answer === undefined
        ? {}
        : { content: { 'application/json': { schema: answer } } };
  return createRoute({
    method,
    path,
    tags: [tag],
    summary,
    ...(text === '' ? {} : { description: text }),
    security: [{ bearer: [] }],
    request: {
      ...params,
      ...headers,
      ...(query === undefined ? {} : { query: query as never }),
      ...(body === undefined
        ? {}
        : { body: { required: true, content: { 'application/json': { schema: body as z.ZodType } } } }),
    },
    responses: {
      [status]: { description: 'Done.', ...content },
      ...(empty === undefined ? {} : { 204: { description: empty } }),
      default: { description: 'It was refused, or failed.', content: { 'application/json': { schema: problem } } },
    },
  });
}

/** The wait of a request was cut short: what it has begun goes on. */
function stopped(): RequestRefused {
  const message = 'The server is about to end. What was begun goes on; ask again.';
  return new RequestRefused(503, 'Stopping', message, { 'retry-after': '2' });
}

/** A request that does not fit its schema, in one line. */
export function schemaProblem({
  issues,
}: {
  issues: readonly { path: PropertyKey[]; message: string }[];
}): RequestRefused {
  const [first] = issues;
  const place = first?.path.map(String).join('.') ?? '';
  return invalid(`${place === '' ? '' : `\`${place.slice(0, 200)}\`: `}${first?.message ?? 'It does not fit.'}`);
}

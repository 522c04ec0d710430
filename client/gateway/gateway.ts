import { userInfo } from 'node:os';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { Agent } from '../../agent/define/agent-definition';
import type { Log } from '../../agent/define/context';
import { type GatewayConfig, gatewayOf } from '../../runtime/config/gateway';
import { createLog } from '../../runtime/log';
import { packageVersion } from '../../runtime/own-package';
import type { AgentClient } from '../agent-client';
import { agentInfo } from './agent-info';
import { type App, type Deps, type Env, schemaProblem } from './api';
import { authenticator } from './auth/authenticate';
import { failureResponse, RequestRefused } from './failure';
import { jsonGuard, sizeGuard } from './guard/body';
import { securityHeaders } from './guard/headers';
import { CallerLimits } from './guard/limits';
import { nothingFor } from './guard/methods';
import { hostGuard, originGuard } from './guard/origins';
import { RetryAfter } from './guard/retry-after';
import { builtPage, pageFiles } from './page';
import { addChat } from './routes/chat';
import { addCommands } from './routes/commands';
import { addEvents } from './routes/events';
import { addInfo } from './routes/info';
import { addRuns } from './routes/runs';
import { addServiceAnswers } from './routes/service-answers';
import { addWaits } from './routes/waits';
import { Access } from './runs/access';
import { Answerers, unknownServices } from './runs/answerers';

/** What a gateway serves, and how. */
export interface GatewayOptions {
  /** Reaches the runs. Answers stream if it has a bus. */
  client: AgentClient;
  /** The agents that can be started. */
  agents: readonly Agent[];
  /** Default: that of a machine's own use, without keys. */
  config?: GatewayConfig;
  /** Default: errors and the audit log on standard error. */
  log?: Log;
  /** Accepts this token as well, for the person at this machine. Default: none. */
  localToken?: string | undefined;
  /** Name of that person. Default: that of the account. */
  user?: string;
  /** The folder of a page. Default: that of Holdfast. `null`: there is no page. */
  page?: string | null;
  /** Milliseconds that a request waits for a worker. Streams that have begun wait without end. Default 15,000. */
  workerTimeout?: number;
  /** Milliseconds between heartbeats of the workers, as in temporal.yaml. A worker that is silent for longer is busy. Default 1,000. */
  heartbeatInterval?: number;
}

/** The HTTP API as a function of requests; it needs no port. */
export interface Gateway {
  /** Answers a request. */
  fetch(request: Request): Response | Promise<Response>;
  /** Ends all streams, and says from now on that it is not ready: no new requests are to come here. */
  drain(): void;
}

/** A person waits for the answer, and a proxy between gives up after 30 s or 60. */
const WORKER_TIMEOUT = 15_000;

/**
 * The HTTP API, for a server of your own. It checks hosts and origins by headers, so it must see those of the caller.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { client, config = gatewayOf(), log = createLog(), workerTimeout = WORKER_TIMEOUT } = options;
  const draining = new AbortController();
  const limits = new CallerLimits(config.limits);
  const deps: Deps = {
    access: new Access(client, workerTimeout, options.heartbeatInterval),
    agents: options.agents.map(agentInfo),
    limits,
    maxBody: config.limits.body,
    log,
    webhooks: config.webhooks,
    answerers: new Answerers(client.temporal, workerTimeout, config.webhooks),
    webUi: config.webUi,
    version: packageVersion(),
    draining: draining.signal,
  };
  for (const named of unknownServices(config.webhooks, options.agents)) {
    log.warn(named, 'A webhook names services that no agent here has: check the types of their contracts');
  }
  const app: App = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw schemaProblem(result.error);
    },
  });
  const retryAfter = new RetryAfter();
  app.onError((error, c) => failureResponse(error, c, log, retryAfter));
  app.use(securityHeaders);
  // Probes call it by an address.
  addHealth(app, client, draining.signal);
  app.use(hostGuard(config), originGuard(config.origins));

  const authenticate = authenticator(config, {
    localToken: options.localToken,
    user: options.user ?? accountName(),
    log,
  });
  const known: MiddlewareHandler<Env> = async (c, next) => {
    const principal = await authenticate(c.req.header('authorization'));
    if (principal === undefined) throw unknownCaller();
    limits.take(principal.credential);
    c.set('principal', principal);
    await next();
  };
  for (const path of ['/v1/*', '/openapi.json']) app.use(path, known);
  app.use('/v1/*', sizeGuard(config.limits.body), jsonGuard);
  for (const add of [addInfo, addRuns, addCommands, addWaits, addEvents, addChat, addServiceAnswers]) add(app, deps);
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: packageVersion(),
      description: 'Durable agents over HTTP. Errors are `{"error": {"type", "message", "data"}}`.',
    },
  });
  addPage(app, options.page === undefined ? builtPage() : options.page);
  const refusal = nothingFor(app.routes);
  app.notFound((c) => {
    throw refusal(c.req.method, c.req.path);
  });
  return { fetch: app.fetch, drain: () => draining.abort() };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under an id without an account.
    return 'local';
  }
}

/** The only thing that a caller without a token may know. */
function addHealth(app: App, client: AgentClient, draining: AbortSignal): void {
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get('/ready', async (c) => {
    const isUp = !draining.aborted && (await answers(client));
    return c.json({ status: isUp ? 'ready' : 'not ready' }, isUp ? 200 : 503);
  });
}

/** Milliseconds in which the Temporal server has to answer. */
const SOON = 2000;

async function answers({ temporal }: AgentClient): Promise<boolean> {
  const ask = () => temporal.workflowService.getSystemInfo({});
  return temporal.connection.withDeadline(Date.now() + SOON, ask).then(
    () => true,
    () => false,
  );
}

function addPage(app: App, folder: string | null): void {
  if (folder === null) return;
  const file = pageFiles(folder);
  app.get('*', async (c, next) => {
    if (/^\/(?:v1|webhooks)(?:\/|$)/.test(c.req.path)) return next();
    return (await file(c)) ?? next();
  });
}

function unknownCaller(): RequestRefused {
  const message = 'Send a valid key or token as `Authorization: Bearer …`.';
  return new RequestRefused(401, 'Unauthorized', message, { 'www-authenticate': 'Bearer' });
}

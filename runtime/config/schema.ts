import { z } from 'zod';
import {
  AUTH_TWICE,
  EXPECTED_SCOPES,
  EXPECTED_TOOLS,
  hasAuthorization,
  isScope,
  urlProblem,
} from '../../agent/define/checks/server';
import { EXPECTED_ADDRESS, isAddress } from '../temporal/address';
import { bus } from './bus';
import { embeddings } from './embeddings';
import {
  argument,
  asSwitch,
  duration,
  eitherOf,
  expected,
  headers,
  named,
  section,
  text,
  texts,
  whole,
  yesNo,
} from './fields';
import { gateway } from './gateway';
import { models } from './models';
import { outlet } from './outlets';
import { storage } from './storage';

const TLS = '`true`, `false` or a section';
const tls = section({
  serverName: text.exactOptional(),
  serverCa: text.exactOptional(),
  cert: text.exactOptional(),
  key: text.exactOptional(),
}).refine((value) => (value.cert === undefined) === (value.key === undefined), {
  error: '`cert` and `key` belong together',
});

const serverSettings = {
  tools: texts(text, 'names of tools').min(1, { error: EXPECTED_TOOLS }).exactOptional(),
  trusted: yesNo.exactOptional(),
  approval: z.enum(['never', 'always', 'hints'], { error: 'Expected `never`, `always` or `hints`' }).exactOptional(),
  execution: z.enum(['parallel', 'serial'], { error: 'Expected `parallel` or `serial`' }).exactOptional(),
  startTimeout: duration.exactOptional(),
  timeout: duration.exactOptional(),
};
const stdioServer = section({
  command: text,
  args: texts(argument, 'arguments').exactOptional(),
  env: named(argument).exactOptional(),
  cwd: text.exactOptional(),
  ...serverSettings,
});
const address = (example?: string) =>
  text.check(({ value, issues }) => {
    const message = urlProblem(value, example);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  });
const auth = section({
  clientId: text,
  clientSecret: text,
  scopes: texts(text.refine(isScope, { error: EXPECTED_SCOPES }), 'scopes').exactOptional(),
  issuer: address('https://auth.example.com').exactOptional(),
});
const httpServer = section({
  url: address(),
  headers: headers.exactOptional(),
  auth: auth.exactOptional(),
  transport: z.enum(['http', 'sse'], { error: 'Expected `http` or `sse`' }).exactOptional(),
  ...serverSettings,
}).refine((value) => value.auth === undefined || !hasAuthorization(value.headers), { error: AUTH_TWICE });
const server = eitherOf(
  ['url', httpServer],
  ['command', stdioServer],
  'Expected a `command`, or the `url` of a server that is running',
);

const port = whole(0, 65_535);

/** What temporal.yaml may contain, before defaults and absolute paths. */
export const configSchema = section(
  {
    temporal: section({
      address: text.refine(isAddress, { error: EXPECTED_ADDRESS }).exactOptional(),
      namespace: text.exactOptional(),
      taskQueue: text.exactOptional(),
      // A separate section gives better messages than "neither true nor a section".
      tls: z
        .preprocess(
          (value) => (asSwitch(value) === true ? {} : asSwitch(value) === false ? null : value),
          z.union([z.null(), z.looseObject({})], { error: (issue) => expected(issue, TLS) }).pipe(tls.nullable()),
        )
        .exactOptional(),
      apiKey: text.exactOptional(),
      compression: z.enum(['gzip', 'none'], { error: 'Expected `gzip` or `none`' }).exactOptional(),
    }).exactOptional(),
    agents: z
      .preprocess((value) => (typeof value === 'string' ? [value] : value), texts(text, 'module paths'))
      .exactOptional(),
    models: models.exactOptional(),
    embeddings: named(embeddings).exactOptional(),
    mcp: named(server).exactOptional(),
    outlets: named(outlet).exactOptional(),
    worker: section({
      shutdownGrace: duration.exactOptional(),
      maxConcurrentActivities: whole(1).exactOptional(),
      maxCachedWorkflows: whole(0).exactOptional(),
      heartbeatInterval: duration.exactOptional(),
      deployment: section({
        name: text,
        buildId: text,
        versioning: z
          .enum(['auto-upgrade', 'pinned'], { error: 'Expected `auto-upgrade` or `pinned`' })
          .exactOptional(),
      }).exactOptional(),
    }).exactOptional(),
    storage: storage.exactOptional(),
    gateway: gateway.exactOptional(),
    bus: bus.exactOptional(),
    devServer: section({
      port: port.exactOptional(),
      uiPort: port.exactOptional(),
      dbFile: text.exactOptional(),
      ip: text.exactOptional(),
    }).exactOptional(),
  },
  {
    mcpServers: 'did you mean `mcp`?',
    tools: 'tools belong to agents, which are defined in a module that `agents` names',
  },
);

export type ConfigFile = z.output<typeof configSchema>;

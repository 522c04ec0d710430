import { z } from 'zod';
import { urlProblem } from '../agent/check-server';
import { milliseconds } from '../agent/duration';
import { nearNames } from '../agent/name-table';

// Messages never hold a value of the file: it may be a secret, or have come from the environment.

/** An object whose unknown keys are errors that name what may have been meant. */
function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownKey(String(issue.keys[0]), known) : expected(issue, 'a section'),
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearNames(key, known);
  const names = (near.length > 0 ? near : known).map((name) => `\`${name}\``).join(', ');
  return near.length > 0
    ? `There is no \`${key}\` here; did you mean ${names}?`
    : `There is no \`${key}\` here; possible are ${names}`;
}

const NOTHING = 'it has no value';
const kindOf = (value: unknown) => {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'object') return Array.isArray(value) ? 'got a list' : 'got a section';
  return typeof value === 'string' ? 'got a text' : `got a ${typeof value}`;
};
const expected = (issue: { input?: unknown }, what: string) => `Expected ${what}, ${kindOf(issue.input)}`;

const text = z
  .string({ error: (issue) => expected(issue, 'a text') })
  .trim()
  .min(1, 'Expected a text, it is empty');
const url = text
  .refine((value) => /^https?:\/\/[^/]/.test(value) && URL.canParse(value), {
    error: 'Expected a URL such as `https://api.openai.com/v1`',
    abort: true,
  })
  .refine((value) => new URL(value).username + new URL(value).password === '', {
    error: 'Expected a URL without user name and password; use `apiKey` or `headers`',
  });

// What `${PORT}` brings in is a text; where a number or a switch is wanted, it is read as one.
const asNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
const asSwitch = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);

const number = (least: number, what: string) => {
  const error = (issue: { input?: unknown }) => expected(issue, what);
  return z.preprocess(asNumber, z.number({ error }).min(least, `Expected ${what}`));
};
const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const what = `a whole number of at least ${least}`;
  const error = (issue: { input?: unknown }) => expected(issue, what);
  return z.preprocess(asNumber, z.int({ error }).min(least, `Expected ${what}`).max(most, `Expected at most ${most}`));
};
const yesNo = z.preprocess(asSwitch, z.boolean({ error: (issue) => expected(issue, '`true` or `false`') }));
const duration = z.unknown().transform((value, context) => {
  const ms = milliseconds(asNumber(value));
  if (ms !== undefined) return ms;
  context.issues.push({ code: 'custom', input: value, message: "Expected milliseconds or a duration such as '30s'" });
  return z.NEVER;
});
// `--port` and 8080 are both arguments: YAML's numbers and switches are taken as they are written.
const argument = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  z.string({ error: (issue) => expected(issue, 'a text') }),
);
const texts = (one: z.ZodType<string>, what: string) =>
  z.array(one, { error: (issue) => expected(issue, `a list of ${what}`) });
const named = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value, { error: (issue) => expected(issue, 'names and their values') });

const tls = section({
  serverName: text.exactOptional(),
  serverCa: text.exactOptional(),
  cert: text.exactOptional(),
  key: text.exactOptional(),
}).refine((value) => (value.cert === undefined) === (value.key === undefined), {
  error: '`cert` and `key` belong together',
});

const model = section({
  baseUrl: url,
  model: text,
  apiKey: text.exactOptional(),
  headers: named(argument).exactOptional(),
  contextWindow: whole(1).exactOptional(),
  maxTokens: whole(1).exactOptional(),
  temperature: number(0, 'a number of at least 0').exactOptional(),
  prices: section({
    prompt: number(0, 'a price of at least 0'),
    completion: number(0, 'a price of at least 0'),
    cached: number(0, 'a price of at least 0').exactOptional(),
  }).exactOptional(),
  idleTimeout: duration.exactOptional(),
});

const serverSettings = {
  trusted: yesNo.exactOptional(),
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
const httpServer = section({
  url: text.check(({ value, issues }) => {
    const message = urlProblem(value);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  }),
  headers: named(argument).exactOptional(),
  transport: z.enum(['http', 'sse'], { error: 'Expected `http` or `sse`' }).exactOptional(),
  ...serverSettings,
});
// A union would tell of both kinds at once. Which one is meant shows in the key that the other has not.
const server = z.unknown().transform((value, context) => {
  const has = (key: string) => typeof value === 'object' && value !== null && key in value;
  const fits = has('url') ? httpServer.safeParse(value) : stdioServer.safeParse(value);
  const neither = !has('url') && !has('command') && typeof value === 'object' && value !== null;
  if (fits.success) return fits.data;
  for (const issue of fits.error.issues) {
    const missing = neither && issue.path[0] === 'command';
    const message = missing ? 'Expected a `command`, or the `url` of a server that is running' : issue.message;
    context.issues.push({
      ...issue,
      message,
      path: [...issue.path],
      input: undefined,
    } as (typeof context.issues)[number]);
  }
  return z.NEVER;
});

const port = whole(0, 65_535);

/** What temporal.yaml may hold, before defaults and absolute paths. */
export const configSchema = section({
  temporal: section({
    address: text.exactOptional(),
    namespace: text.exactOptional(),
    taskQueue: text.exactOptional(),
    // A section of its own reads better in messages than "neither true nor a section".
    tls: z
      .preprocess((value) => (asSwitch(value) === true ? {} : asSwitch(value) === false ? null : value), tls.nullable())
      .exactOptional(),
    apiKey: text.exactOptional(),
  }).exactOptional(),
  agents: z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), texts(text, 'module paths'))
    .exactOptional(),
  models: named(model).exactOptional(),
  mcp: named(server).exactOptional(),
  worker: section({
    shutdownGrace: duration.exactOptional(),
    maxConcurrentActivities: whole(1).exactOptional(),
    maxCachedWorkflows: whole(0).exactOptional(),
    heartbeatInterval: duration.exactOptional(),
  }).exactOptional(),
  devServer: section({
    port: port.exactOptional(),
    uiPort: port.exactOptional(),
    dbFile: text.exactOptional(),
    ip: text.exactOptional(),
  }).exactOptional(),
});

export type ConfigFile = z.output<typeof configSchema>;

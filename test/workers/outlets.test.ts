import { defineAgent } from 'holdfast';
import { createWorker } from 'holdfast/worker';
import { z } from 'zod';
import { defineContract } from '../../agent/contracts/contract';
import type { Outlet } from '../../agent/define/outlet';
import { eventService } from '../../agent/define/service';
import type { ByDomain } from '../../agent/define/service-definition';

const Stock = defineContract({
  type: 'stock.check',
  versions: { '1.0.0': { accepts: z.object({ sku: z.string() }), emits: { 'evt.stock.check.success': z.string() } } },
});

const asking = (outlet: ByDomain, domain: string | string[] = 'eu') =>
  defineAgent({ name: 'shop.asks', services: { stock: eventService(Stock, '1.0.0', { outlet, domain }) } });
const models = { default: { baseUrl: 'http://127.0.0.1:1/v1', model: 'none' } };

/** The error that keeps a worker from starting, before it connects. */
async function fault(agent: ReturnType<typeof asking>, outlets: Record<string, Outlet>): Promise<string> {
  const config = {
    dir: '/',
    temporal: { address: '127.0.0.1:1', namespace: 'n', taskQueue: 'q' },
    agents: [],
    mcp: {},
  };
  const rest = { models, outlets: { known: { workflowId: 'x' } }, worker: { shutdownGrace: 1, heartbeatInterval: 1 } };
  const worker = createWorker({ agents: [agent], config: { ...config, ...rest, devServer: {} }, outlets });
  const error = await worker.catch((thrown: unknown) => thrown);
  const { type, message } = error as { type: string; message: string };
  return `${type}: ${message}`;
}

const UNKNOWN =
  'UnknownOutlet: No outlet is called `gone`; known are `known`, `own`. ' +
  'Add it under `outlets` in temporal.yaml, or to `createWorker`.';

test('a worker refuses an agent that names an outlet which it does not have', async () => {
  const own = () => undefined;
  expect(await fault(asking('gone'), { own })).toBe(UNKNOWN);
  expect(await fault(asking({ eu: 'own', us: 'gone' }, 'us'), { own })).toBe(UNKNOWN);
  expect(await fault(asking({ eu: 'own', us: 'gone' }, ['eu', 'us']), { own })).toBe(UNKNOWN);
  expect(await fault(defineAgent({ name: 'shop.replies', replies: 'gone' }), { own })).toBe(UNKNOWN);
  expect(await fault(asking('toString'), { own })).toMatch(/^UnknownOutlet/);
});

test('outlets of the configuration and of the options are both known', async () => {
  expect(await fault(asking('known'), {})).toMatch(/^NoServer/);
  expect(await fault(asking({ eu: 'known', us: 'elsewhere' }), {})).toMatch(/^NoServer/);
  expect(await fault(asking('own'), { own: { workflowId: (event) => event.subject } })).toMatch(/^NoServer/);
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'Expected a function'],
  ['a plain secret', { url: 'https://a.b/', secret: 's3cret' }, 'outlets.own.secret: Expected `{ env'],
  ['a plain header', { url: 'https://a.b/', headers: { A: 's3cret' } }, 'outlets.own.headers.A: Expected `{ env'],
  ['a name that is not a header', { url: 'https://a.b/', headers: { 'a b': { env: 'A' } } }, 'not a valid header name'],
  ['no address', { url: 'a.b' }, 'outlets.own.url: Expected a URL'],
  ['a misspelt field', { url: 'https://a.b/', timout: 1 }, 'outlets.own.timout: Unknown field; did you mean'],
  ['a time that is too long', { url: 'https://a.b/', timeout: '1m' }, 'outlets.own.timeout: Expected'],
  ['an empty workflow id', { workflowId: '' }, 'outlets.own.workflowId: Expected the id'],
  ['no name of a signal', { workflowId: 'x', signal: 1 }, 'outlets.own.signal: Expected the name'],
])('an outlet in code that is %s is refused', async (_what, own, expected) => {
  const said = await fault(asking('known'), { own: own as Outlet });
  expect(said).toContain(expected);
  expect(said).toMatch(/^InvalidDefinition/);
  expect(said).not.toContain('s3cret');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayOf } from 'holdfast/server';
import { parseAllDocuments } from 'yaml';
import { createProgram } from '../../cli/main';
import { loadConfig } from '../../runtime/config/config';
import { blocksOf, DOCS } from './pages';

const read = (name: string) => readFileSync(join(DOCS, 'operations', 'deploy', name), 'utf8');
const commands = createProgram().commands.map((command) => command.name());

type Container = {
  command: string[];
  ports?: { name: string; containerPort: number }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
};
type Probe = { httpGet: { path: string; port: string } };
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    selector: { matchLabels?: Record<string, string>; app?: string };
    template?: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[]; terminationGracePeriodSeconds: number };
    };
    ports?: { targetPort: string }[];
  };
}

describe('kubernetes.yaml', () => {
  const all = parseAllDocuments(read('kubernetes.yaml'));
  const manifests = all.map((document) => document.toJS() as Manifest);
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  const containers = deployments.flatMap(({ spec }) => spec.template?.spec.containers ?? []);

  it('is valid YAML of objects with names', () => {
    expect(all.flatMap(({ errors }) => errors)).toEqual([]);
    expect(manifests.every(({ apiVersion, kind, metadata }) => apiVersion && kind && metadata.name)).toBe(true);
  });

  it('selects the pods that it makes', () => {
    const labels = deployments.map(({ spec }) => spec.template?.metadata.labels.app);
    const selected = manifests.map(({ spec: { selector } }) => selector.matchLabels?.app ?? selector.app);
    expect(selected.filter((app) => !labels.includes(app))).toEqual([]);
  });

  it('runs commands that there are', () => {
    const called = containers.map(({ command }) => command.at(-1));
    expect(called).toEqual(['worker', 'serve']);
    expect(commands).toEqual(expect.arrayContaining(called));
  });

  it('gives workers the time that their calls have', async () => {
    const { worker } = await loadConfig({ cwd: '/', env: {} });
    const [times] = deployments.map(({ spec }) => spec.template?.spec.terminationGracePeriodSeconds);
    expect((times ?? 0) * 1000).toBeGreaterThan(worker.shutdownGrace + 5000);
  });

  it('asks for health at the port of the page above it, by addresses that there are', async () => {
    const serve = containers.find(({ ports }) => ports !== undefined);
    const [configured = ''] = blocksOf('operations/deployment.md', 'yaml').map(({ code }) => code);
    expect(configured).toContain(`port: ${serve?.ports?.[0]?.containerPort}`);
    expect(serve?.livenessProbe?.httpGet).toEqual({ path: '/health', port: serve?.ports?.[0]?.name });
    expect(serve?.readinessProbe?.httpGet).toEqual({ path: '/ready', port: serve?.ports?.[0]?.name });
    expect(gatewayOf().host).toBe('127.0.0.1'); // so the page has to set another one
  });
});

describe.each(['holdfast-worker.service', 'holdfast-serve.service'])('%s', (name) => {
  const lines = read(name).split('\n');

  it('has sections of settings, and nothing else', () => {
    const strange = lines.filter((line) => !/^(?:#.*|\[(?:Unit|Service|Install)\]|[A-Z]\w*=.+)?$/.test(line));
    expect(strange).toEqual([]);
  });

  it('runs a command that there is', () => {
    const [, command] = /^ExecStart=\/usr\/bin\/node node_modules\/\.bin\/holdfast (\w+)$/m.exec(read(name)) ?? [];
    expect(commands).toContain(command);
  });
});

import { join } from 'node:path';
import { devScreen } from '../../../cli/lines/dev-lines';
import type { Config } from '../../../runtime/config/config';
import type { DevEvent } from '../../../workers/dev/dev';
import type { OpenedServer } from '../../../workers/dev/open-server';
import type { ServedAgent } from '../../../workers/worker-process';

const temporal = { address: 'localhost:7233', namespace: 'default', taskQueue: 'holdfast' };
const server = { address: '127.0.0.1:7233', namespace: 'default', uiUrl: 'http://127.0.0.1:8233' };
const STARTED = { started: true, server, moved: [] } as unknown as OpenedServer;

const serverReady = (more: Partial<OpenedServer> = {}, settings: Partial<Config['temporal']> = {}): DevEvent => {
  const config = { temporal: { ...temporal, ...settings }, devServer: {} } as Config;
  return { type: 'server.ready', config, ...STARTED, ...more } as DevEvent;
};
const workerReady = (agents: ServedAgent[], more: object = {}): DevEvent => ({
  type: 'worker.ready',
  pid: 7,
  taskQueue: 'holdfast',
  agents,
  missingPrograms: [],
  ...more,
});
const desk: ServedAgent = { name: 'support.desk', mode: 'conversation' };
const triage: ServedAgent = {
  name: 'support.triage',
  mode: 'task',
  inputSchema: {
    type: 'object',
    properties: { mail: { type: 'string' }, kind: { enum: ['a', 'b'] }, urgent: { type: 'boolean' } },
    required: ['mail', 'kind'],
  },
};

describe('the screen of `holdfast dev`', () => {
  it('says where everything is, and how to start each agent from another terminal', () => {
    const screen = devScreen();
    expect([...screen(serverReady()), ...screen(workerReady([desk, triage, { name: 'a.b', mode: 'task' }]))]).toEqual([
      'Web UI      http://127.0.0.1:8233',
      'Temporal    127.0.0.1:7233',
      'Namespace   default',
      'Runs        end with this server; --db <file> keeps them',
      'Task queue  holdfast',
      'Worker      pid 7',
      'Agents      support.desk, support.triage, a.b',
      'Try         holdfast chat support.desk',
      `            holdfast run support.triage '{"mail":"…","kind":"a"}'`,
      "            holdfast run a.b '…'",
      'Ready. Ctrl-C ends all.',
    ]);
  });

  it('says where other commands find a server that had to move', () => {
    const screen = devScreen({ config: './my desk.yaml' });
    const moved = [{ what: 'Temporal', from: 7233, to: 9 }];
    const other = { ...STARTED.server, address: '127.0.0.1:9' };
    const lines = screen(serverReady({ moved, server: other } as Partial<OpenedServer>));
    expect(lines).toContain('!           Port 7233 is taken: Temporal listens on 9');
    expect(lines).toContain('!           Other commands find it with TEMPORAL_ADDRESS=127.0.0.1:9');
    expect(screen(workerReady([desk]))).toContain(
      "Try         TEMPORAL_ADDRESS=127.0.0.1:9 holdfast chat support.desk --config './my desk.yaml'",
    );
  });

  it('repeats what only this terminal has set', () => {
    expect(devScreen()(serverReady({}, { addressFrom: 'environment', tls: true })).at(-1)).toBe(
      '!           Other commands find it with TEMPORAL_ADDRESS=127.0.0.1:7233 TEMPORAL_TLS=false',
    );
    expect(devScreen()(serverReady({ started: false } as Partial<OpenedServer>, { tls: true }))).toContain(
      'Temporal    127.0.0.1:7233, which was running before',
    );
  });

  it('names the programs of MCP servers that are missing', () => {
    const missingPrograms = [{ server: 'files', command: 'npxx' }];
    expect(devScreen()(workerReady([desk], { missingPrograms }))).toContain(
      '!           MCP server files: there is no program `npxx`; install it, or correct `command`',
    );
  });

  it('says what a change did, and whom it leaves behind', () => {
    const screen = devScreen();
    screen(workerReady([desk, triage]));
    expect(screen(workerReady([triage], { pid: 8, replaces: 7, taskQueue: 'mine' }))).toEqual([
      'Reloaded    worker pid 8, agents support.triage',
      '!           support.desk is gone: calls in its runs fail after a minute, unless it comes back',
      '!           The task queue is now mine: runs that were started on holdfast wait',
    ]);
    expect(screen(workerReady([triage], { pid: 9, taskQueue: 'mine' }))).toEqual([
      'Restarted   worker pid 9, agents support.triage',
    ]);
    const file = (name: string) => join(process.cwd(), 'src', name);
    expect(screen({ type: 'change', files: [file('a.ts')] })).toEqual(['Changed     src/a.ts']);
    expect(screen({ type: 'change', files: ['a.ts', 'b.ts', 'c.ts'].map(file) })).toEqual([
      'Changed     src/a.ts and 2 other files',
    ]);
    expect(screen({ type: 'worker.failed', problem: 'agents.ts:3: no', kept: 9 })).toEqual([
      '!           agents.ts:3: no',
      'Unchanged   worker pid 9 goes on without the change',
    ]);
  });
});

import { relative } from 'node:path';
import { defined } from '../../agent/values/defined';
import { shellWord } from '../../agent/values/shell-word';
import { visible } from '../../agent/values/visible';
import type { MissingProgram } from '../../runtime/binaries/mcp-programs';
import type { DevEvent } from '../../workers/dev/dev';
import { doorOf, type GatewayEvent } from '../gateway-child';
import { commandBy } from '../terminal/printed-command';
import { logLine } from './log-line';
import { startWords } from './start-command';

type Ready<Type extends DevEvent['type']> = Extract<DevEvent, { type: Type }>;

/** Options of the command that the screen repeats or explains. */
export interface DevScreenOptions {
  /** The value of `--config`. */
  config?: string | undefined;
  /** The value of `--db`. */
  db?: string | undefined;
  /** It is ready when the page is. */
  web?: boolean;
}

/** The lines that the screen of `holdfast dev` shows for each event. */
export function devScreen({ config, db, web = false }: DevScreenOptions = {}): (event: DevEvent) => string[] {
  let variables: Record<string, string> = {};
  let previous: Ready<'worker.ready'> | undefined;
  return (event) => {
    switch (event.type) {
      case 'server.ready':
        variables = otherTerminals(event);
        return serverLines(event, variables, db);
      case 'worker.ready': {
        const lines =
          previous === undefined
            ? readyLines(event, { variables, place: defined({ config }) })
            : againLines(event, previous);
        const missing = event.missingPrograms.map(missingProgramLine);
        const ready = previous === undefined && !web ? [READY] : [];
        previous = event;
        return [...lines, ...missing, ...ready];
      }
      case 'change':
        return [`Changed     ${changedFiles(event.files)}`];
      case 'worker.failed':
        return event.kept === undefined
          ? [`!           ${event.problem}`]
          : [`!           ${event.problem}`, `Unchanged   worker pid ${event.kept} goes on without the change`];
      case 'worker.exit':
        return [`worker      pid ${event.pid ?? '?'} ended (${event.signal ?? `exit code ${event.code}`})`];
      case 'worker.restart':
        return [`worker      starts again in ${event.delay / 1000} s`];
      case 'worker.waiting':
        return ['worker      starts again when a file has changed'];
      case 'worker.log':
        return [`worker      ${logLine(event.line)}`];
      case 'server.log':
        return [`temporal    ${logLine(event.line)}`];
    }
  };
}

/** The lines for what the HTTP server of `holdfast dev --web` tells. */
export function gatewayLines(event: GatewayEvent): string[] {
  switch (event.type) {
    case 'gateway.ready':
      return [`Page        ${doorOf(event.url, event.token)}`, READY];
    case 'gateway.exit':
      return [`page        its server ended (${event.signal ?? `exit code ${event.code}`})`];
    case 'gateway.log':
      return [`page        ${logLine(event.line)}`];
  }
}

const READY = 'Ready. Ctrl-C ends all.';

export function missingProgramLine({ server, command }: MissingProgram): string {
  return `!           MCP server ${server}: there is no program \`${command}\`; install it, or correct \`command\``;
}

function serverLines(
  { started, server, moved, config }: Ready<'server.ready'>,
  variables: Readonly<Record<string, string>>,
  db: string | undefined,
): string[] {
  const { address, namespace, uiUrl } = server;
  const needed = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  return [
    ...moved.map(({ what, from, to }) => `!           Port ${from} is taken: ${what} listens on ${to}`),
    ...(uiUrl === '' ? [] : [`Web UI      ${uiUrl}`]),
    `Temporal    ${address}${started ? '' : ', which was running before'}`,
    `Namespace   ${namespace}`,
    ...(started ? [runsLine(db ?? config.devServer.dbFile)] : db === undefined ? [] : [NO_DB]),
    ...(needed.length === 0 ? [] : [`!           Other commands find it with ${needed.join(' ')}`]),
  ];
}

const NO_DB = '!           --db has no effect: the server was running before';

function runsLine(db: string | undefined): string {
  return `Runs        ${db === undefined ? 'end with this server; --db <file> keeps them' : `kept in ${visible(db)}`}`;
}

/** The variables that other terminals have to set to reach the server. */
function otherTerminals({ started, server, config }: Ready<'server.ready'>): Record<string, string> {
  const { address, addressFrom, tls } = config.temporal;
  const plain = (text: string) => text.replace(/^localhost:/, '127.0.0.1:');
  const inFile = addressFrom === undefined || addressFrom === 'file';
  const found = inFile && plain(address) === plain(server.address);
  return {
    ...(found ? {} : { TEMPORAL_ADDRESS: server.address }),
    ...(started && tls !== undefined && tls !== false ? { TEMPORAL_TLS: 'false' } : {}),
  };
}

function readyLines({ pid, taskQueue, agents }: Ready<'worker.ready'>, way: Parameters<typeof commandBy>[0]): string[] {
  const names = agents.map(({ name }) => name).join(', ');
  return [
    `Task queue  ${taskQueue}`,
    `Worker      pid ${pid}`,
    `Agents      ${names}`,
    ...agents.map((agent, i) => `${i === 0 ? 'Try' : '   '}         ${commandBy(way, startWords(agent))}`),
  ];
}

function changedFiles([first = '', ...others]: string[]): string {
  const more =
    others.length === 0 ? '' : others.length === 1 ? ' and another file' : ` and ${others.length} other files`;
  return `${visible(relative(process.cwd(), first))}${more}`;
}

/** After a restart or a change. */
function againLines(event: Ready<'worker.ready'>, previous: Ready<'worker.ready'>): string[] {
  const { pid, taskQueue, agents, replaces } = event;
  const names = agents.map(({ name }) => name);
  const gone = previous.agents.filter(({ name }) => !names.includes(name));
  const what = replaces === undefined ? 'Restarted' : 'Reloaded ';
  return [
    `${what}   worker pid ${pid}, agents ${names.join(', ')}`,
    ...gone.map(
      ({ name }) => `!           ${name} is gone: calls in its runs fail after a minute, unless it comes back`,
    ),
    ...(taskQueue === previous.taskQueue
      ? []
      : [`!           The task queue is now ${taskQueue}: runs that were started on ${previous.taskQueue} wait`]),
  ];
}

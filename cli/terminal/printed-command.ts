import { shellWord } from '../../agent/values/shell-word';
import type { Place } from '../remote/place';
import { OF_TEMPORAL } from '../remote/rules';

export interface Environment {
  /** Set by package managers for what they run: `npm/10.8.2 node/v20.20.0 linux x64`. */
  npm_config_user_agent?: string;
  HOLDFAST_URL?: string;
  [name: string]: string | undefined;
}

/** What a printed command needs to reach the runs that this process has reached. */
interface Way {
  /** Default: the environment of this process. */
  env?: Environment | undefined;
  /** Default: the options of the command that this process carries out. */
  place?: Place | undefined;
  /** Variables that replace those of the environment. */
  variables?: Readonly<Record<string, string>>;
}

/** How each package manager runs a program of a project. */
const RUNS = new Map([
  ['npm', 'npx holdfast'],
  ['pnpm', 'pnpm exec holdfast'],
  ['yarn', 'yarn holdfast'],
  ['bun', 'bunx holdfast'],
]);

/** Commands that reach no run. */
const ANYWHERE: ReadonlySet<string> = new Set(['--help', 'init', 'key', 'completion']);

/** Variables that say where runs are. Those with secrets are never printed: a person has to set them. */
const OF_PLACE = [
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_PROFILE',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_TLS',
] as const;

/** The options of the command that this process carries out, as far as they say where runs are. */
let given: Place = {};

/** Makes all commands that are printed from now on lead where this command line does. */
export function printCommandsFor({ config, url }: Place): void {
  given = { ...(config === undefined ? {} : { config }), ...(url === undefined ? {} : { url }) };
}

/** A command as the user can type it. Words are quoted where a shell needs it. */
export function printedCommand(...words: readonly string[]): string {
  return commandBy({}, words);
}

/** The same for another place than that of this process. */
export function commandBy(way: Way, words: readonly string[]): string {
  return commandLine(words.map(shellWord).join(' '), words[0] ?? '', way);
}

/** A text of ours in which commands in backticks are such as the user can type. */
export function withPrintedCommands(text: string, env?: Environment): string {
  return text.replace(/`holdfast (([^`\s]+)[^`]*)`/g, (_, line, name) => `\`${commandLine(line, name, { env })}\``);
}

function commandLine(line: string, name: string, { env = process.env, place = given, variables = {} }: Way): string {
  const program = programOf(env);
  if (ANYWHERE.has(name)) return `${program} ${line}`;
  const url = place.url ?? (place.config === undefined ? env.HOLDFAST_URL : undefined);
  if (url && !OF_TEMPORAL.has(name)) {
    const address = shellWord(withoutSecrets(url));
    return place.url === undefined
      ? `HOLDFAST_URL=${address} ${program} ${line}`
      : `${program} ${line} --url ${address}`;
  }
  const named = place.config === undefined ? ['HOLDFAST_CONFIG', ...OF_PLACE] : OF_PLACE;
  const set = named.flatMap((variable) => {
    const value = variables[variable] ?? env[variable];
    return value ? [`${variable}=${shellWord(value)} `] : [];
  });
  const option = place.config === undefined ? '' : ` --config ${shellWord(place.config)}`;
  return `${set.join('')}${program} ${line}${option}`;
}

/** What runs this program: in a project it is not on PATH, and the package manager that started this process runs it. */
function programOf({ npm_config_user_agent: agent = '' }: Environment): string {
  const [manager = ''] = agent.split('/');
  return RUNS.get(manager) ?? 'holdfast';
}

/** An address may have a token, as `holdfast serve` prints it, or a password, which is refused. */
function withoutSecrets(url: string): string {
  return url.replace(/#.*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1');
}

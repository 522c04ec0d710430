import { basename } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { defined } from '../../agent/values/defined';
import { RemoteClient } from '../../client/remote/remote-client';
import { loadConfig } from '../../runtime/config/config';
import { give, isTerminal, warn, withoutOutput } from '../../runtime/print';
import { loadAgents } from '../../workers/load/load-agents';
import { EXIT } from '../exit-code';
import { addressAt, type Place } from '../remote/place';
import { BASH } from './bash';

const SHELLS = ['bash', 'zsh', 'fish'];
/** The file that each shell reads when it starts, and the line for it. */
const START_FILES: { readonly [shell: string]: string } = {
  bash: '~/.bashrc',
  zsh: '~/.zshrc',
  fish: '~/.config/fish/config.fish',
};
const HOW: { readonly [shell: string]: string } = {
  bash: 'source <(holdfast completion bash)',
  zsh: 'source <(holdfast completion zsh)',
  fish: 'holdfast completion fish | source',
};

/**
 * `holdfast completion [shell]`: the script that a shell reads to complete commands. The script calls `holdfast
 * completion complete -- <words>`, since `holdfast complete` is the command that answers for a service.
 */
export async function completion(
  given: string | undefined,
  words: readonly string[],
  program: Command,
  { SHELL = '' }: { SHELL?: string } = process.env,
): Promise<number> {
  if (given === 'complete') return complete(program, words);
  const shell = given ?? basename(SHELL);
  if (!SHELLS.includes(shell)) {
    const what = shell === '' ? 'name your shell' : `there is no completion for '${shell}'`;
    const from = given === undefined && shell !== '' ? ' of $SHELL' : '';
    warn(`error: ${what}${from}; possible are ${SHELLS.join(', ')}, as in \`holdfast completion bash\``);
    return EXIT.usage;
  }
  // On a screen the script alone says nothing of what to do with it.
  if (isTerminal()) warn(`# Add this line to ${START_FILES[shell]}: ${HOW[shell]}`);
  if (shell === 'bash') give(BASH);
  else {
    // Otherwise fish shows where in the script the program was missing.
    if (shell === 'fish') give('type -q holdfast; or return\n');
    (await import('@bomb.sh/tab')).script(shell, 'holdfast', 'holdfast completion');
  }
  return 0;
}

/** Directive of the scripts' protocol: complete names of files. */
const FILES = ':0\n';

/** Prints what may follow. The last word is the one to complete; it may be empty. */
async function complete(program: Command, words: readonly string[]): Promise<number> {
  const { default: root } = await import('@bomb.sh/tab');
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const command = commands.find((one) => words.includes(one.name())) ?? program;
  const before = words.at(-2);
  const option = help.visibleOptions(command).find(({ long, short }) => before === long || before === short);
  if (before !== undefined && option !== undefined && valueName(option) === 'file') {
    give(FILES);
    return 0;
  }
  const given = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
  const names = await namesFor(command, defined({ config: given('--config'), url: given('--url') }));

  // Only those that count here: the library takes an option of the same name of any command.
  for (const one of command === program ? [program, ...commands] : [program, command]) {
    const known = one === program ? root : root.command(one.name(), one.description());
    for (const found of help.visibleOptions(one)) {
      const { long, short, description } = found;
      const values = valuesOf(found, names.agents);
      const alias = short?.slice(1);
      if (values === undefined) known.option(long?.slice(2) ?? '', description, alias);
      else known.option(long?.slice(2) ?? '', description, offer(values), alias);
    }
    for (const argument of one.registeredArguments) {
      known.argument(argument.name(), offer(argument.argChoices ?? namesOf(argument, names)), argument.variadic);
    }
  }
  root.parse([...words]);
  return 0;
}

type Offer = (complete: (value: string, description: string) => void) => void;

function offer(values: readonly string[]): Offer {
  return (complete) => {
    for (const value of values) complete(value, '');
  };
}

/** The values of an option; `undefined` for a switch. */
function valuesOf(option: Option, agents: readonly string[]): readonly string[] | undefined {
  const value = valueName(option);
  if (value === undefined) return undefined;
  return option.argChoices ?? (value === 'agent' ? agents : []);
}

/** The name of an option's value, such as `file` of `--out <file>`. */
function valueName({ flags, required, optional }: Option): string | undefined {
  return required || optional ? /[<[](\w+)/.exec(flags)?.[1] : undefined;
}

/** What temporal.yaml, or a served address, has names for. */
interface Names {
  agents: readonly string[];
  models: readonly string[];
}

/** `show` takes the name of an agent or the id of a run. */
function namesOf(argument: Argument, { agents, models }: Names): readonly string[] {
  if (argument.name() === 'alias') return models;
  return ['agent', 'name'].includes(argument.name()) ? agents : [];
}

/** Only what the command takes: agents have to be loaded. */
async function namesFor(command: Command, place: Place): Promise<Names> {
  const takesAlias = command.registeredArguments.some((argument) => argument.name() === 'alias');
  return {
    agents: namesAgent(command) ? await agentNames(place) : [],
    models: takesAlias ? await modelAliases(place) : [],
  };
}

function namesAgent(command: Command): boolean {
  return (
    command.registeredArguments.some((argument) => ['agent', 'name'].includes(argument.name())) ||
    command.options.some((option) => valueName(option) === 'agent')
  );
}

/**
 * Names of the agents at a served address, or else of temporal.yaml. Without an address that answers, or a readable file,
 * there is nothing to offer.
 */
async function agentNames(place: Place): Promise<string[]> {
  try {
    const address = addressAt(place);
    const agents =
      address === undefined
        ? // The shell would take what a module prints for names.
          await withoutOutput(async () => loadAgents(await loadConfig(defined({ path: place.config }))))
        : await (await RemoteClient.connect({ ...address, patience: 0 })).agents();
    return agents.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Aliases of the models of temporal.yaml. Without a readable one, there is nothing to offer. */
async function modelAliases({ config }: Place): Promise<string[]> {
  try {
    return Object.keys((await loadConfig(defined({ path: config }))).models);
  } catch {
    return [];
  }
}

#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { packageVersion } from '../runtime/own-package';
import { give, warn } from '../runtime/print';
import { isMain } from '../runtime/process/is-main';
import { CONFIG, URL_OPTION } from './config-option';
import { count } from './count';
import { errorLines, exitWith } from './exit';
import { EXIT } from './exit-code';
import { examples, PROGRAM_HELP, usageError } from './help';
import { linesOf } from './lines/facts/fact-line';
import { refusalAt } from './remote/rules';
import { timeOf } from './replay/since';
import { addSessionCommands } from './runs/session-commands';
import { printCommandsFor } from './terminal/printed-command';
import { addWaitCommands } from './waits/commands';

// Commands are loaded when they are called: Temporal's SDK takes half a second to load, and `--help` does not need it.
const load = {
  init: () => require('./init/init') as typeof import('./init/init'),
  dev: () => require('./dev') as typeof import('./dev'),
  worker: () => require('./worker') as typeof import('./worker'),
  serve: () => require('./serve') as typeof import('./serve'),
  run: () => require('./runs/run') as typeof import('./runs/run'),
  show: () => require('./show/show') as typeof import('./show/show'),
  replay: () => require('./replay/replay') as typeof import('./replay/replay'),
  doctor: () => require('./doctor/doctor') as typeof import('./doctor/doctor'),
  completion: () => require('./completion/completion') as typeof import('./completion/completion'),
};

/** The command line. Every command returns the exit code of the process. */
export function createProgram(): Command {
  const program = new Command('holdfast')
    // Arguments that cannot be parsed are quoted in the errors. Subcommands inherit this.
    .configureOutput({
      writeOut: give,
      writeErr: (text) => warn(...linesOf(text.replace(/\n$/, ''))),
      outputError: (text, write) => write(usageError(text)),
    })
    .description('LLM agents that run as durable Temporal workflows')
    .version(packageVersion(), '-v, --version')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage))
    .option(...CONFIG)
    .option(...URL_OPTION)
    // Before the name of a command or after it.
    .hook('preAction', (program, command) => {
      const { config, url } = program.opts();
      if (config !== undefined) command.setOptionValue('config', config);
      if (url !== undefined) command.setOptionValue('url', url);
      const refused = refusalAt(command);
      printCommandsFor(command.opts());
      if (refused !== undefined) command.error(`error: ${refused}`);
    })
    .addHelpText('after', PROGRAM_HELP);

  program
    .command('init')
    .description('write a small project: an agent with a tool and an approval, its test, and what runs them')
    .argument('<folder>', 'a new or empty folder; its name becomes the name of the project')
    .addHelpText('after', examples('holdfast init my-agent'))
    .action((folder) => exitWith(() => load.init().init(folder)));

  program
    .command('dev')
    .description('start a Temporal server, or use that of temporal.yaml, and a worker that follows your changes')
    .option(...CONFIG)
    .option('--db <file>', 'keep runs in this file; without it they end with the server')
    .option(
      '--port <port>',
      'start a server on this port, 0 for a free one (default: use `temporal.address`, else 7233 or a free one)',
      port,
    )
    .option('--ui-port <port>', 'port of the Web UI (default: 8233, or a free one)', port)
    .option('--server-only', 'start no worker')
    .option('--web', 'also start the HTTP server with the page, and print its address')
    .action((options) => exitWith(() => load.dev().dev(options)));

  program
    .command('worker')
    .description('start a worker for the agents of temporal.yaml; SIGTERM lets running calls finish')
    .option(...CONFIG)
    .action((options) => exitWith(() => load.worker().worker(options)));

  program
    .command('serve')
    .description('start the HTTP server: the page, the API and the chat protocol for the agents of temporal.yaml')
    .option(...CONFIG)
    .option('--host <host>', 'address to listen at (default: `gateway.host`, else 127.0.0.1: this machine only)')
    .option('--port <port>', 'port to listen at, 0 for a free one (default: `gateway.port`, else 4080)', port)
    .addHelpText('after', examples('holdfast serve', 'holdfast serve --port 0'))
    .action((options) => exitWith(() => load.serve().serve(options)));

  program
    .command('key')
    .description('make an API key for `gateway.keys`, and print it with its hash')
    .action(() => exitWith(() => load.serve().key()));

  program
    .command('run')
    .description(
      'start a run, show what it does and print its result; Ctrl-C cancels the run, SIGTERM leaves it running',
    )
    .argument('<agent>', 'name of the agent, such as support.triage')
    .argument('<input>', 'JSON, a plain text, @file, or - for standard input')
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option('--id <id>', 'id of the run; the same id, agent and input attach to it')
    .option('--owner <owner>', 'who the run belongs to')
    .option('--contract <version>', "version of the agent's contract, such as 1.0.0 (default: the newest)")
    .option('--detach', 'start the run, print its id and leave it running')
    .option('--verbose', 'show every fact, with its number')
    .option('--json', 'print facts and result as lines of JSON')
    .addHelpText(
      'after',
      examples(
        "holdfast run support.triage 'Order A-17 was charged twice!'",
        `holdfast run support.triage '{"mail": "Where is A-17?"}' --id mail-17 | jq .queue`,
        'holdfast run support.triage @mail.json --detach',
      ),
    )
    .action((agent, input, options) => exitWith(() => load.run().run(agent, input, options)));

  program
    .command('show')
    .description('show an agent (tools and how they are run, models, limits, MCP servers) or a run (state, transcript)')
    .argument('<name>', 'an agent of temporal.yaml; any other name is the id of a run')
    .option(...CONFIG)
    .option(...URL_OPTION)
    .addOption(
      new Option('--agent', 'the name is that of an agent').conflicts(['run', 'tool', 'prompt', 'out', 'full']),
    )
    .option('--run', 'the name is the id of a run, though an agent may have it too')
    .option('--full', 'print the texts of a transcript whole')
    .option('--tool <toolUseId>', 'print the whole result of one call of a run, such as t3.1')
    .addOption(
      new Option('--prompt [turn]', 'print what the last model call of a run sent, or the one of a turn').conflicts([
        'tool',
        'out',
        'full',
      ]),
    )
    .option('--out <file>', 'with --tool: write media, or the text, to this file')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('holdfast show support.triage', 'holdfast show mail-17 --tool t1.1'))
    .action((name, options) => exitWith(() => load.show().show(name, options)));

  addSessionCommands(program);
  addWaitCommands(program);

  program
    .command('doctor')
    .description('check this machine, temporal.yaml and the server, and say what is missing and what to do')
    .option(...CONFIG)
    .option('--models', 'find out what works with each configured model, by six small calls')
    .option('--json', 'print the findings as JSON')
    .action((options) => exitWith(() => load.doctor().doctor(options)));

  program
    .command('replay')
    .description(
      'replay histories of runs with the workflows of this version, and say which ones it could not go on with',
    )
    .argument('[run...]', 'ids of the runs; without one, runs are found by --since')
    .option(...CONFIG)
    .option(
      '--since <time>',
      'runs that were open at some time since: a date, or a duration such as 7d (default: 7d)',
      since,
    )
    .option('--limit <count>', 'how many runs at most (default: 1000)', count(1))
    .option('--json', 'print a line of JSON for each history that does not replay, and a summary')
    .addHelpText('after', examples('holdfast replay --since 30d', 'holdfast replay mail-17'))
    .action((runs, options) => exitWith(() => load.replay().replay(runs, options)));

  program
    .command('completion')
    .description('print a script that completes commands, options and agent names in your shell')
    .argument('[shell]', 'bash, zsh or fish (default: that of $SHELL)')
    .argument('[words...]', 'what the script asks about, with `complete` in place of the shell')
    .action((shell, words) => exitWith(() => load.completion().completion(shell, words, program)));

  return program;
}

function since(text: string): Date {
  const time = timeOf(text, Date.now());
  if (time === undefined) {
    throw new InvalidArgumentError(
      'Expected a date that has passed, such as 2026-02-28, or a duration such as 7d or 12h.',
    );
  }
  return time;
}

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError('Expected 0 to 65535.');
  return value;
}

if (isMain(module)) {
  // Thrown outside any command, by a library for example.
  process.on('uncaughtException', (error) => {
    warn(...errorLines(error));
    process.exit(1);
  });
  // Alone, the name of the program asks for its help.
  void createProgram().parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, '--help']);
}

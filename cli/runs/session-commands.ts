import { type Command, InvalidArgumentError, Option } from 'commander';
import { milliseconds } from '../../agent/values/duration';
import { CONFIG, URL_OPTION } from '../config-option';
import { count } from '../count';
import { exitWith } from '../exit';
import { examples } from '../help';
import { BY_DEFAULT } from '../user-name';

// As in `main.ts`: loaded when called.
const load = {
  chat: () => require('../chat/chat') as typeof import('../chat/chat'),
  runs: () => require('./runs') as typeof import('./runs'),
  tail: () => require('./tail') as typeof import('./tail'),
  export: () => require('../export/export') as typeof import('../export/export'),
  session: () => require('./session') as typeof import('./session'),
};

const RUN = ['<run>', 'id of the run'] as const;
const BY = ['--by <name>', `who does it (${BY_DEFAULT})`] as const;
const STATUSES = ['running', 'waiting', 'completed', 'failed', 'cancelled', 'terminated', 'timed out'];

/** Registers the commands for existing runs: to talk with, find, read, steer, name, end and delete them. */
export function addSessionCommands(program: Command): void {
  program
    .command('chat')
    .description(
      'talk with an agent; without a terminal, each line of input is a message. Leaving does not end the conversation',
    )
    .argument('<agent>', 'name of the agent, such as desk.assistant')
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option('--id <id>', 'id of the conversation; an existing one is continued')
    .option('--owner <owner>', 'who the conversation belongs to')
    .option('--by <name>', `who talks (${BY_DEFAULT})`)
    .option('--input <json>', 'the input that starts it, as its first message: JSON, a plain text, or @file')
    .option('--close', 'end the conversation at the end of the input, or when you leave')
    .addHelpText(
      'after',
      examples('holdfast chat support.desk --id desk-7', 'holdfast chat support.desk < questions.txt'),
    )
    .action((agent, options) => exitWith(() => load.chat().chat(agent, options)));

  const runs = program
    .command('runs')
    .description('list runs: open ones first, then ended ones, the newest of each first')
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option('--agent <agent>', 'runs of this agent only')
    .option('--owner <owner>', 'runs of this owner only')
    .addOption(new Option('--status <status>', 'runs in this state only').choices(STATUSES))
    .option('--limit <count>', 'how many at most', count(1), 100)
    .option('--json', 'print a line of JSON for each run')
    .addHelpText('after', examples('holdfast runs --owner ann --status waiting'))
    .action((options) => exitWith(() => load.runs().runs(options)));

  runs
    .command('nudge')
    .description('have a run go on in a new history, on the current version of its workers')
    .argument(...RUN)
    .option(...CONFIG)
    .addHelpText('after', examples('holdfast runs nudge desk-7'))
    .action((run, options) => exitWith(() => load.session().nudge(run, options)));

  program
    .command('tail')
    .description('show what happens in a run until it ends; Ctrl-C leaves it alone')
    .argument(...RUN)
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option('--after <fact>', 'number of the last fact that is known already', count(0))
    .option('--verbose', 'show every fact, with its number')
    .option('--json', 'print facts as lines of JSON')
    .addHelpText('after', examples('holdfast tail mail-17', 'holdfast tail mail-17 --json --after 22'))
    .action((run, options) => exitWith(() => load.tail().tail(run, options)));

  program
    .command('export')
    .description('export the transcript of a run, during the run or after it')
    .argument(...RUN)
    .option(...CONFIG)
    .addOption(
      new Option('--format <format>', "OpenAI's chat messages, one a line, or Markdown for people")
        .choices(['jsonl', 'md'])
        .default('jsonl'),
    )
    .option('--full', 'include the full results of tools, even where the model saw only the beginning')
    .option('--out <file>', 'write it to this file')
    .addHelpText('after', examples('holdfast export mail-17 --format md --out mail-17.md'))
    .action((run, options) => exitWith(() => load.export().exportRun(run, options)));

  command(program, 'send', 'send a message to a run', 'holdfast send desk-7 And the other lamp?')
    .argument('<message...>', 'the message')
    .option(...BY)
    .action((run, message, options) => exitWith(() => load.session().send(run, message, options)));

  command(
    program,
    'steer',
    'send a message that the model reads at its next call, during the exchange in progress',
    'holdfast steer desk-7 Only orders of this year --now',
  )
    .argument('<message...>', 'the message')
    .option('--now', 'interrupt the model call in progress, and withdraw open questions')
    .option(...BY)
    .action((run, message, options) => exitWith(() => load.session().steer(run, message, options)));

  command(
    program,
    'interrupt',
    'end the exchange in progress of a conversation; what it has answered so far is kept',
    'holdfast interrupt desk-7',
  )
    .option(...BY)
    .action((run, options) => exitWith(() => load.session().interrupt(run, options)));

  command(program, 'regenerate', 'have a conversation answer its last message again', 'holdfast regenerate desk-7')
    .option(...BY)
    .action((run, options) => exitWith(() => load.session().regenerate(run, options)));

  command(
    program,
    'undo',
    'undo what tools did, the newest first',
    'holdfast undo desk-7 2',
    'holdfast undo desk-7 t3.1',
  )
    .argument('[what]', 'how many calls, or one call, such as t3.1', calls, 1)
    .option(...BY)
    .action((run, what, options) => exitWith(() => load.session().undo(run, what, options)));

  command(program, 'rename', 'give a run a title, which lists show', 'holdfast rename mail-17 Order A-17')
    .argument('<title...>', 'the title')
    .option(...BY)
    .action((run, title, options) => exitWith(() => load.session().rename(run, title, options)));

  command(
    program,
    'retry',
    'call the model again at once, in a run that waits because the model does not answer',
    'holdfast retry mail-17',
  )
    .option(...BY)
    .action((run, options) => exitWith(() => load.session().retry(run, options)));

  command(
    program,
    'switch-model',
    'have a run use another model from its next call on; a wait for a model that does not answer ends',
    'holdfast switch-model mail-17 house',
  )
    .argument('<alias>', 'alias of a model of temporal.yaml')
    .option(...BY)
    .action((run, alias, options) => exitWith(() => load.session().switchModel(run, alias, options)));

  command(
    program,
    'compact',
    'replace the old messages of a run in what its model is sent, as its agent is set to, else by a summary',
    'holdfast compact desk-7 --keep 4',
  )
    .option('--keep <count>', "how many of the newest messages stay (default: the agent's setting, else 10)", count(1))
    .option(...BY)
    .action((run, options) => exitWith(() => load.session().compact(run, options)));

  command(
    program,
    'raise-budget',
    'raise limits of what a run may spend; the amounts are the new limits',
    'holdfast raise-budget mail-17 --tokens 200000',
    'holdfast raise-budget mail-17 --cost "2.5 USD"',
  )
    .option('--tokens <number>', 'prompt and completion tokens', count(0))
    .option('--cost <money>', 'money with its currency, such as "2.5 USD"', money)
    .option('--tool-calls <number>', 'calls of tools and services', count(0))
    .option('--model-calls <number>', 'calls of models', count(0))
    .option('--time <duration>', 'working time, such as 2h', duration)
    .option('--deadline <duration>', 'time since the start, waits included, such as 3d', duration)
    .option('--per-exchange', 'the limits are those of each exchange of a conversation')
    .option(...BY)
    .action((run, options) => exitWith(() => load.session().raiseBudget(run, options)));

  command(
    program,
    'close',
    'end a conversation after it has answered the messages that it received',
    'holdfast close desk-7',
  )
    .option(...BY)
    .action((run, options) => exitWith(() => load.session().close(run, options)));

  command(
    program,
    'cancel',
    'ask a run to stop; what the model has answered so far is kept',
    'holdfast cancel mail-17',
  ).action((run, options) => exitWith(() => load.session().cancel(run, options)));

  command(program, 'delete', 'delete a run that has ended, with its history', 'holdfast delete mail-17').action(
    (run, options) => exitWith(() => load.session().remove(run, options)),
  );
}

/** The common part of the commands about one run. */
function command(program: Command, name: string, description: string, ...lines: string[]): Command {
  return program
    .command(name)
    .description(description)
    .argument(...RUN)
    .option(...CONFIG)
    .option(...URL_OPTION)
    .addHelpText('after', examples(...lines));
}

/** A number of calls, or the id of one. */
function calls(text: string): number | string {
  return /^t\d/.test(text) ? text : count(1, ', or a call, such as t3.1')(text);
}

function duration(text: string): number {
  const ms = milliseconds(text);
  if (ms === undefined) throw new InvalidArgumentError('Expected a duration, such as 90s, 2h or 3d.');
  return ms;
}

function money(text: string): { amount: number; currency: string } {
  const [, amount, currency] = /^(\d+(?:\.\d+)?) ?([A-Z]{3})$/.exec(text.trim()) ?? [];
  if (amount === undefined || currency === undefined)
    throw new InvalidArgumentError('Expected an amount and a currency, such as "2.5 USD".');
  return { amount: Number(amount), currency };
}

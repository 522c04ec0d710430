import { type Command, InvalidArgumentError, Option } from 'commander';
import { CONFIG } from '../config-option';
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

/** Registers the commands for existing runs: to talk with, find, read, name, end and delete them. */
export function addSessionCommands(program: Command): void {
  program
    .command('chat')
    .description(
      'talk with an agent; without a terminal, each line of input is a message. Leaving does not end the conversation',
    )
    .argument('<agent>', 'name of the agent, such as desk.assistant')
    .option(...CONFIG)
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

  program
    .command('runs')
    .description('list runs: open ones first, then ended ones, the newest of each first')
    .option(...CONFIG)
    .option('--agent <agent>', 'runs of this agent only')
    .option('--owner <owner>', 'runs of this owner only')
    .addOption(new Option('--status <status>', 'runs in this state only').choices(STATUSES))
    .option('--limit <count>', 'how many at most', count(1), 100)
    .option('--json', 'print a line of JSON for each run')
    .addHelpText('after', examples('holdfast runs --owner ann --status waiting'))
    .action((options) => exitWith(() => load.runs().runs(options)));

  program
    .command('tail')
    .description('show what happens in a run until it ends; Ctrl-C leaves it alone')
    .argument(...RUN)
    .option(...CONFIG)
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

  program
    .command('rename')
    .description('give a run a title, which lists show')
    .argument(...RUN)
    .argument('<title...>', 'the title')
    .option(...CONFIG)
    .option(...BY)
    .addHelpText('after', examples('holdfast rename mail-17 Order A-17'))
    .action((run, title, options) => exitWith(() => load.session().rename(run, title, options)));

  program
    .command('retry')
    .description('call the model again at once, in a run that waits because the model does not answer')
    .argument(...RUN)
    .option(...CONFIG)
    .option(...BY)
    .addHelpText('after', examples('holdfast retry mail-17'))
    .action((run, options) => exitWith(() => load.session().retry(run, options)));

  program
    .command('close')
    .description('end a conversation after it has answered the messages that it received')
    .argument(...RUN)
    .option(...CONFIG)
    .option(...BY)
    .addHelpText('after', examples('holdfast close desk-7'))
    .action((run, options) => exitWith(() => load.session().close(run, options)));

  program
    .command('delete')
    .description('delete a run that has ended, with its history')
    .argument(...RUN)
    .option(...CONFIG)
    .addHelpText('after', examples('holdfast delete mail-17'))
    .action((run, options) => exitWith(() => load.session().remove(run, options)));
}

function count(least: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < least) {
      throw new InvalidArgumentError(`Expected a whole number from ${least}.`);
    }
    return value;
  };
}

import { type Command, Option } from 'commander';
import { CONFIG, URL_OPTION } from '../config-option';
import { exitWith } from '../exit';
import { examples } from '../help';
import { BY_DEFAULT } from '../user-name';

// As in `main.ts`: loaded when called.
const load = {
  inbox: () => require('../inbox/inbox') as typeof import('../inbox/inbox'),
  decide: () => require('./decide') as typeof import('./decide'),
  answer: () => require('./answer') as typeof import('./answer'),
  complete: () => require('./complete') as typeof import('./complete'),
  grants: () => require('./grants') as typeof import('./grants'),
};

const BY = ['--by <name>', `who decides (${BY_DEFAULT})`] as const;
const ROLE = [
  '--role <role>',
  'a role of the person who decides, such as finance; can be repeated',
  (role: string, before?: string[]) => [...(before ?? []), role.replace(/^role:/, '')],
] as const;
const REMEMBER = 'hold it for this call, for later calls of the run, or for all runs of the agent with the same owner';

/** Registers the commands for calls and questions that wait. */
export function addWaitCommands(program: Command): void {
  program
    .command('inbox')
    .description(
      'show and decide the calls and questions of all runs that wait for a person; without a terminal, print JSON',
    )
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option(...BY)
    .option(...ROLE)
    .option('--agent <agent>', 'runs of this agent only')
    .option('--owner <owner>', 'runs of this owner only')
    .option('--run <id>', 'this run only, and the agents that work for it')
    .option('--json', 'print lines of JSON and ask nothing')
    .addHelpText('after', examples('holdfast inbox', 'holdfast inbox --owner ann --json'))
    .action((options) => exitWith(() => load.inbox().inbox(options)));

  decision(program, 'approve', 'let a call run that waits for a person', 'holdfast approve mail-17 t1.1 --remember run')
    .addOption(new Option('--remember <what>', REMEMBER).choices(['once', 'run', 'agent']))
    .option('--comment <text>', 'stored with the decision')
    .action((run, call, options) => exitWith(() => load.decide().approve(run, call, options)));

  decision(
    program,
    'deny',
    'keep a call from running that waits for a person',
    "holdfast deny mail-17 t1.1 --reason 'not his'",
  )
    .addOption(new Option('--remember <what>', REMEMBER).choices(['once', 'run', 'agent']))
    .option('--reason <text>', 'the model reads it')
    .action((run, call, options) => exitWith(() => load.decide().deny(run, call, options)));

  decision(
    program,
    'edit',
    'let a call run with other arguments',
    `holdfast edit mail-17 t1.1 --input '{"amount": 50}'`,
  )
    .requiredOption('--input <json>', 'the new arguments: JSON, @file, or - for standard input')
    .addOption(new Option('--remember <what>', REMEMBER).choices(['once', 'run', 'agent']))
    .option('--comment <text>', 'stored with the decision')
    .action((run, call, options) => exitWith(() => load.decide().edit(run, call, options)));

  program
    .command('answer')
    .description('answer a question of a run')
    .argument('<run>', 'id of the run')
    .argument('<question>', 'the question, such as t3.1')
    .argument('[answer...]', 'the answer in words, or the reason with --decline')
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option('--by <name>', `who answers (${BY_DEFAULT})`)
    .option('--data <data>', 'the answer instead of words: JSON, a plain text, @file, or - for standard input')
    .option('--decline', 'tell the agent that you do not answer')
    .addHelpText(
      'after',
      examples(
        'holdfast answer mail-17 t3.1 card 12',
        `holdfast answer mail-17 t3.2 --data '{"street": "Elm Road 4", "floor": 3}'`,
        'holdfast answer mail-17 t3.3 --decline I do not know',
      ),
    )
    .action((run, question, words, options) => exitWith(() => load.answer().answer(run, question, words, options)));

  program
    .command('complete')
    .description('answer a call that waits for a service')
    .argument('[run]', 'id of the run')
    .argument('[call]', 'the call, such as t3.1')
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option('--data <data>', 'the answer: JSON, a plain text, @file, or - for standard input')
    .option('--error <text>', 'what went wrong, instead of an answer')
    .option('--event <event>', 'a whole CloudEvent whose subject names the run: JSON, @file, or -')
    .addHelpText(
      'after',
      examples(
        `holdfast complete mail-17 t1.2 --data '{"left": 3}'`,
        "holdfast complete mail-17 t1.2 --error 'sold out'",
      ),
    )
    .action((run, call, options) => exitWith(() => load.complete().complete(run, call, options)));

  program
    .command('grants')
    .description('list the remembered decisions that hold for all runs of an agent')
    .argument('<agent>', 'name of the agent')
    .option(...CONFIG)
    .option('--json', 'print JSON')
    .addHelpText('after', examples('holdfast grants support.triage'))
    .action((agent, options) => exitWith(() => load.grants().grants(agent, options)));

  program
    .command('revoke')
    .description('forget remembered decisions, so that a person is asked again')
    .argument('<agent>', 'name of the agent')
    .argument('<tool>', 'name of the tool')
    .option(...CONFIG)
    .option('--owner <owner>', 'whose runs (default: those without an owner)')
    .option('--key <key>', 'one key of `rememberBy` only (default: all decisions on the tool)')
    .addHelpText('after', examples('holdfast revoke support.triage refund --owner bob'))
    .action((agent, tool, options) => exitWith(() => load.grants().revoke(agent, tool, options)));
}

/** The common part of `approve`, `deny` and `edit`. */
function decision(program: Command, name: string, description: string, example: string): Command {
  return program
    .command(name)
    .description(description)
    .argument('<run>', 'id of the run')
    .argument('<call>', 'the call, such as t3.1')
    .option(...CONFIG)
    .option(...URL_OPTION)
    .option(...BY)
    .option(...ROLE)
    .option('--hash <hash>', 'hash of the arguments that you saw; the decision is refused for others')
    .addHelpText('after', examples(example));
}

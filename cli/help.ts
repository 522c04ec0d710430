import { EXIT } from './exit-code';
import { printedCommand } from './terminal/printed-command';

/** The end of a command's help: what one types, a line each. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;
}

/** The error of an invalid command line, with what to do about it where that is not obvious. */
export function usageError(text: string): string {
  const hint = hintFor(text);
  return hint === undefined ? text : `${text.replace(/\.?\n$/, '.')} ${hint}\n`;
}

/** Commands that take a text as one argument or value of an option, of which a shell makes several. */
const TAKE_TEXT = ['run', 'chat', 'approve', 'deny', 'edit', 'complete'];

function hintFor(text: string): string | undefined {
  const [, several = ''] = /^error: too many arguments for '(.+)'/.exec(text) ?? [];
  if (TAKE_TEXT.includes(several)) return 'Put a text of several words into quotes.';
  // A command with a similar name is in the error already.
  if (/^error: unknown command '[^\n]*'\n?$/.test(text)) return `\`${printedCommand('--help')}\` lists the commands.`;
  const [, missing = ''] = /^error: missing required argument '(.+)'/.exec(text) ?? [];
  return FINDS[missing]?.();
}

/** Where a person finds what they have to type for an argument. */
const FINDS: { readonly [argument: string]: (() => string) | undefined } = {
  call: () => `\`${printedCommand('inbox')}\` lists the calls that wait.`,
  question: () => `\`${printedCommand('inbox')}\` lists the questions that wait.`,
  run: () => `\`${printedCommand('runs')}\` lists the runs.`,
  agent: () => `\`${printedCommand('doctor')}\` lists the agents.`,
  input: () => 'It follows the name of the agent: JSON, a plain text in quotes, @file, or - for standard input.',
  alias: () => `\`${printedCommand('doctor')}\` lists the models.`,
  folder: () => `For example: \`${printedCommand('init', 'my-agent')}\`.`,
};

/** What each exit code means. docs/reference/cli.md has the same table. */
const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, 'done'],
  [EXIT.failed, 'the run failed, or the command could not do what it was asked to'],
  [EXIT.usage, 'the command line, the input, temporal.yaml or a module that it names is invalid'],
  [
    EXIT.unreachable,
    'no Temporal server, no namespace or no worker answers; a served address does not answer, or refuses the token',
  ],
  [EXIT.cancelled, 'the run was cancelled or terminated'],
  [EXIT.interrupted, 'ended with Ctrl-C'],
  [EXIT.terminated, 'ended with SIGTERM'],
];

/** The end of `holdfast --help`. */
export const PROGRAM_HELP = `
Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}

Environment:
  TEMPORAL_*                override temporal.yaml
  HOLDFAST_CONFIG           the temporal.yaml to use
  HOLDFAST_URL              address of holdfast serve to use in place of Temporal
  HOLDFAST_TOKEN            the key or token for that address
  HOLDFAST_CONNECT_TIMEOUT  seconds to wait for a server that does not answer (default: 10)
  HOLDFAST_LOG=debug        log more
  HOLDFAST_DEBUG=1          show stacks of errors
${examples('holdfast dev', "holdfast run support.triage 'Where is my order?'", 'holdfast inbox')}`;

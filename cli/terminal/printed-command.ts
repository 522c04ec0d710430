import { shellWord } from './shell-word';

export interface Environment {
  /** Set by package managers for what they run: `npm/10.8.2 node/v20.20.0 linux x64`. */
  npm_config_user_agent?: string;
}

/** How each package manager runs a program of a project. */
const RUNS = new Map([
  ['npm', 'npx holdfast'],
  ['pnpm', 'pnpm exec holdfast'],
  ['yarn', 'yarn holdfast'],
  ['bun', 'bunx holdfast'],
]);

/** A command as the user can type it. Words are quoted where a shell needs it. */
export function printedCommand(...words: readonly string[]): string {
  return [programCall(), ...words.map(shellWord)].join(' ');
}

/** A text of ours in which commands in backticks are such as the user can type. */
export function withPrintedCommands(text: string, env?: Environment): string {
  return text.replace(/`holdfast (?=[^`\s])/g, () => `\`${programCall(env)} `);
}

/** What runs this program: in a project it is not on PATH, and the package manager that started this process runs it. */
export function programCall(env: Environment = process.env): string {
  const [manager = ''] = (env.npm_config_user_agent ?? '').split('/');
  return RUNS.get(manager) ?? 'holdfast';
}

import type { McpStdioServer } from '../../agent/define-agent';

/** Shorter values (`1`, `on`) are no secrets, and hiding them would make texts unreadable. */
const SECRET_LENGTH = 4;

/** How a person would type the command of a server. */
export function commandLine({ command, args = [] }: McpStdioServer): string {
  return [command, ...args].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

/** A text without the values of the server's environment: it goes into errors, which go into history and logs. */
export function withoutSecrets(text: string, { env = {} }: McpStdioServer): string {
  return Object.values(env)
    .filter((value) => value.length >= SECRET_LENGTH)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, value) => clean.replaceAll(value, '***'), text);
}

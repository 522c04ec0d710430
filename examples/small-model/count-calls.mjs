// Starts an MCP server and notes each call that reaches it: node count-calls.mjs <file> <command> [arguments…]
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('Usage: count-calls.mjs <file> <command> [arguments…]');
  process.exit(1);
}

const server = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
server.on('error', ({ message }) => {
  console.error(message);
  process.exit(1);
});
server.on('exit', (code) => process.exit(code ?? 1));
// Lines that come after the server has ended.
server.stdin.on('error', () => {});
process.on('SIGTERM', () => server.kill());

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { method, params } = JSON.parse(line);
  // Before the server has it: a call that it does not answer counts, too.
  if (method === 'tools/call') appendFileSync(file, `${JSON.stringify({ tool: params.name, ...params.arguments })}\n`);
  server.stdin.write(`${line}\n`);
});
lines.on('close', () => server.stdin.end());

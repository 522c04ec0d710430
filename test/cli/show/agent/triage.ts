import { join } from 'node:path';
import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import type { McpServer } from '../../../../agent/define/mcp-server';
import { type Config, loadConfig } from '../../../../runtime/config/config';
import { FIXTURES } from '../../../sources';

export const input = z.object({});
export const run = () => 'x';
const tool = { description: 'x', inputSchema: input, execute: run };
export const old: McpServer = { command: process.execPath, args: [join(FIXTURES, 'mcp/old-server.mjs')] };

/** An agent with tools and MCP servers of all kinds. */
export const agent = defineAgent({
  name: 'support.triage',
  description: 'Sorts mail',
  instructions: 'Sort.',
  model: ['fast', 'spare'],
  tools: {
    plain: defineTool(tool),
    quick: defineTool({ ...tool, effect: 'read', placement: 'inline', attempts: 3 }),
  },
  files: { root: '.' },
  mcp: {
    shop: 'shop',
    own: { ...old, trusted: true, timeout: '5s', execution: 'serial' },
    gone: { command: '/nowhere/server' },
  },
  policies: {
    plain: { priority: 2, heartbeatTimeout: '2m' },
    quick: { attempts: 2 },
    'shop.pid': { cancellation: 'abandon', execution: 'serial' },
    'own.env': { execution: 'parallel' },
    'shop.nope': { priority: 1 },
    'gone.any': { priority: 1 },
  },
  limits: { maxToolInteractions: 7 },
});

/** A configuration with its first model, and with one of its servers. */
export async function openConfig(): Promise<Config> {
  return {
    ...(await loadConfig({ cwd: '/', env: {} })),
    models: { fast: { model: 'm-1', baseUrl: 'https://user:pw-of-the-url@models.example/v1', apiKey: 'k' } },
    mcp: { shop: old },
  };
}

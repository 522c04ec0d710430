import { isHttpServer } from '../../../agent/define/mcp-server';
import { isWebhook } from '../../../agent/define/outlet';

it('an MCP server with a URL is called over HTTP, one with a command is started', () => {
  expect(isHttpServer({ url: 'https://a.b/mcp' })).toBe(true);
  expect(isHttpServer({ command: 'crm' })).toBe(false);
});

it('an outlet with a URL is a webhook, one with a workflow is a signal', () => {
  expect(isWebhook({ url: 'https://a.b/in' })).toBe(true);
  expect(isWebhook({ workflowId: 'desk' })).toBe(false);
});

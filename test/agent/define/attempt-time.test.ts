import { attemptTime, longestCall, startToClose } from '../../../agent/define/attempt-time';
import { toolSpec } from '../../workflows/state-data';

const own = toolSpec('look', { timeout: 60_000 });
const mcp = toolSpec('crm.look', {
  kind: 'mcp',
  timeout: 60_000,
  mcp: { server: 'crm', tool: 'look', startTimeout: 30_000 },
});

it('progress extends a call of an MCP tool to at most ten times its timeout', () => {
  expect(longestCall(60_000)).toBe(600_000);
});

it('an attempt takes the timeout of the tool; for MCP tools the longest call and the start of the server', () => {
  expect(attemptTime(own)).toBe(60_000);
  expect(attemptTime(mcp)).toBe(630_000);
});

it('the server times out an attempt 10 s after its end', () => {
  expect(startToClose(own)).toBe(70_000);
  expect(startToClose(mcp)).toBe(640_000);
});

import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HoldfastError } from '../../../agent/errors/error';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import { errorText } from '../../../cli/exit';
import { logLine } from '../../../cli/lines/log-line';
import { lineOf } from './told-fact';

describe('the line of a fact', () => {
  it('shows calls and their outcomes', () => {
    const call = { turn: 1, toolUseId: 't1.1', name: 'lookup' };
    expect(lineOf({ type: 'tool.call', ...call, input: { id: 'A1' } })).toBe(
      '   7  tool.call       t1.1 lookup {"id":"A1"}',
    );
    expect(lineOf({ type: 'tool.error', ...call, error: { type: 'ToolFailed', message: 'no\nway' } })).toBe(
      '   7  tool.error      t1.1 lookup: ToolFailed, no way',
    );
    const usage = { prompt: 3, completion: 4 };
    expect(lineOf({ type: 'loop.end', reason: 'completed', turns: 1, usage, executionUnits: 7 })).toBe(
      '   7  loop.end        completed after 1 turn, 3 + 4 tokens',
    );
    const estimated = { ...usage, estimated: true as const };
    expect(lineOf({ type: 'usage', turn: 1, model: 'm', usage: estimated, executionUnits: 7 })).toBe(
      '   7  usage           m: about 3 + 4 tokens',
    );
  });

  it('is one line of limited length, whatever the model writes', () => {
    const message = {
      role: 'assistant' as const,
      turn: 1,
      parts: [{ type: 'text' as const, text: 'a\n'.repeat(5000) }],
    };
    const long = lineOf({ type: 'message', turn: 1, index: 0, message });
    expect(long).not.toContain('\n');
    expect(long.length).toBeLessThan(250);
  });

  it('shows a fact of a newer worker as it is', () => {
    expect(lineOf({ type: 'tool.paused', by: 'ann' } as unknown as FactBody)).toContain('"by":"ann"');
  });
});

describe('the line of a log entry', () => {
  it('has level, text and fields, but no time and no stack', () => {
    expect(logLine('{"level":"warn","time":1,"id":"r1","stack":"at x","msg":"Slow"}')).toBe('warn Slow id=r1');
    expect(logLine('not JSON')).toBe('not JSON');
  });

  it('names the run of a failed activity first, and shows the whole problem', () => {
    const problem = `${'The server did not answer. '.repeat(15)}Check that it runs.`;
    const about = { namespace: 'default', attempt: 3, workflowId: 'mail-17', workflowRunId: 'r', activityType: 'pay' };
    expect(logLine(JSON.stringify({ level: 'warn', time: 1, problem, ...about, msg: 'Activity failed' }))).toBe(
      `warn Activity failed workflowId=mail-17 activityType=pay attempt=3 problem=${problem}`,
    );
  });
});

describe('the text of an error', () => {
  it('is one line without a stack, even for unknown errors, unless the stack is requested', () => {
    expect(errorText(new HoldfastError('RunNotFound', { id: 'x' }), {})).toBe(
      'There is no run `x`. Check the id and the namespace.',
    );
    expect(errorText(new Error('boom\n  at x'), {})).toBe('Unexpected: boom (HOLDFAST_DEBUG=1 shows where)');
    expect(errorText(new Error('boom'), { HOLDFAST_DEBUG: '1' })).toContain('\n');
  });

  it('names commands as the user can type them', () => {
    const error = new HoldfastError('NoWorker', { taskQueue: 'agents' });
    expect(errorText(error, { npm_config_user_agent: 'npm/10.8.2' })).toMatch(
      /Start one with `npx holdfast worker`\.$/,
    );
  });

  it('names a file that cannot be written, and why', async () => {
    const file = join(tmpdir(), 'no', 'such', 'folder');
    const error = await writeFile(file, '').catch((thrown: unknown) => thrown);
    expect(errorText(error, {})).toBe(`${file}: There is no folder ${dirname(file)}`);
  });
});

import type { CallProblem } from '../../../agent/model/answer';
import type { ToolErrorType } from '../../../agent/protocol/calls/tool-call';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import { StatusPage } from '../../../workflows/view/status-page';
import { runState } from '../state-data';

const on = { turn: 1, toolUseId: 't1.1', name: 'pay' };
const error = { type: 'ModelUnavailable', message: 'gone' };
const called = (n: number): FactBody => ({ type: 'tool.call', turn: 1, toolUseId: `t1.${n}`, name: 'pay', input: {} });
const failed = (type: ToolErrorType | CallProblem['type'], message = 'no'): FactBody => ({
  type: 'tool.error',
  ...on,
  error: { type, message },
});
const decided = (decision: 'approve' | 'edit' | 'deny', by = 'ann'): FactBody => ({
  type: 'approval.decided',
  ...{ ...on, decision, by },
});
const remembered = (allowed: boolean): FactBody => ({ type: 'approval.remembered', ...on, allowed, by: 'ann', at: 1 });
const question = (action: 'answered' | 'declined' | 'expired' | 'withdrawn'): FactBody => ({
  type: `question.${action}`,
  ...{ ...on, questionId: 't1.1' },
});
const asked: FactBody = { type: 'approval.requested', ...on, input: {}, hash: 'h' };
const askedOf = (...deciders: string[]): FactBody => ({ ...asked, deciders });
const escalated: FactBody = { type: 'approval.escalated', ...on, deciders: ['eva'], expiresAt: 1 };
const service: FactBody = { type: 'service.called', ...on, kind: 'signal', ref: 'r' };

/** The lines of a page after these facts. */
function linesAfter(...facts: FactBody[]): string[] {
  const page = new StatusPage();
  page.note(facts);
  return page.text(runState()).split('\n');
}

const errorAfter = (...facts: FactBody[]) => linesAfter(...facts).find((line) => line.startsWith('Last error'));

test.each<[string, string, FactBody[]]>([
  ['running', 'is called', []],
  ['done', 'has given its result', [{ type: 'tool.result', ...on, content: [] }]],
  ['**failed**, ToolFailed', 'has failed', [failed('ToolFailed')]],
  ['**failed**, InvalidResult', 'ran without a result to keep', [failed('InvalidResult')]],
  ['**may have run**, OutcomeUnknown', 'may have run', [failed('OutcomeUnknown')]],
  ['**cancelled**', 'was cancelled', [failed('ToolCancelled')]],
  ['**not run**, UnknownTool', 'names no tool', [failed('UnknownTool')]],
  ['**not run**, InvalidArguments', 'has other arguments than the tool', [failed('InvalidArguments')]],
  ['**not run**, ApprovalExpired', 'was not approved in time', [asked, failed('ApprovalExpired')]],
  ['waits for a person to approve it', 'may not run yet', [asked]],
  ['waits for `ann` or `role:desk` to approve it', 'needs certain people', [askedOf('ann', 'role:desk')]],
  ['waits for `eva` to approve it', 'needs other people by now', [askedOf('ann'), escalated]],
  ['running', 'may run', [asked, decided('approve')]],
  ['running', 'may run with other arguments', [asked, decided('edit')]],
  ['**not run**, denied by `ann`', 'may not run', [asked, decided('deny')]],
  ['**not run**, denied by `ann`', 'may not run, and so has not', [asked, decided('deny'), failed('Denied')]],
  [
    '**not run**, denied by `bob`',
    'may not run by the last decision',
    [asked, decided('deny'), decided('deny', 'bob')],
  ],
  ['**not run**, denied', 'may not run by its rules', [failed('Denied')]],
  ['**not run**, denied by `ann`', 'may not run by a decision that is told later', [failed('Denied'), decided('deny')]],
  ['**not run**, denied by `ann`', 'may not run by an earlier decision', [remembered(false)]],
  ['running', 'may run by an earlier decision', [remembered(true)]],
  [
    'waiting for an answer',
    'asks a person',
    [{ type: 'question.asked', ...on, questionId: 't1.1', question: 'secret?' }],
  ],
  ['answered', 'has its answer', [question('answered')]],
  ['declined', 'has no answer', [question('declined')]],
  ['expired', 'has waited too long', [question('expired')]],
  ['withdrawn', 'no longer asks', [question('withdrawn')]],
  ['awaiting answer', 'has called its service', [service]],
  ['answered', 'has the answer of its service', [service, { type: 'service.answered', ...on }]],
])('a call is shown as %s if it %s', (shown, _, facts) => {
  const other = { ...on, toolUseId: 't1.2' };
  const lines = linesAfter(called(2), called(1), ...facts, { type: 'tool.result', ...other, content: [] });
  const first = lines.indexOf('Last calls, the newest first:');
  expect(lines.slice(first - 1, first + 4)).toEqual([
    '',
    'Last calls, the newest first:',
    '',
    `- t1.1 \`pay\`: ${shown}`,
    '- t1.2 `pay`: done',
  ]);
});

test('a call that gave way to another one is shown as not run', () => {
  const dropped: FactBody = { type: 'tool.dropped', turn: 1, name: 'look', input: {}, priority: 0 };
  expect(linesAfter(called(1), dropped)).toContain('- `look`: **not run**, another call had priority');
});

test('the last six calls are shown; facts about older ones are ignored', () => {
  const calls = (n: number) => Array.from({ length: n }, (_, i) => called(i + 1));
  const shown = (...facts: FactBody[]) => linesAfter(...facts).filter((line) => line.startsWith('- t1.'));
  const expected = (from: number) => [0, 1, 2, 3, 4, 5].map((i) => `- t1.${from - i} \`pay\`: running`);
  expect(shown(...calls(6))).toEqual(expected(6));
  // The first call has been dropped.
  expect(shown(...calls(7), asked, failed('Denied'))).toEqual(expected(7));
  expect(linesAfter()).not.toContain('Last calls, the newest first:');
});

test.each<[string, FactBody]>([
  ['`t1.1 pay`: ToolFailed, `no`', failed('ToolFailed')],
  ['`exchange`: ModelUnavailable, `gone`', { type: 'exchange.end', turn: 1, reason: 'failed', error }],
  [
    '`model big`: ModelUnavailable, `gone`',
    { type: 'model.waiting', turn: 1, model: 'big', error, attempt: 1, nextAt: 9 },
  ],
  [
    '`model big, small took over`: ModelUnavailable, `gone`',
    { type: 'model.switched', turn: 1, from: 'big', to: 'small', why: 'failed', error },
  ],
  ['`every model failed`: ModelUnavailable, `gone`', { type: 'model.fallback', turn: 1, error }],
  ['`turn 4`: answer rejected, `no JSON`', { type: 'output.rejected', turn: 4, error: 'no JSON' }],
  [
    'ModelUnavailable, `gone`',
    { type: 'loop.end', reason: 'failed', turns: 1, usage: { prompt: 0, completion: 0 }, executionUnits: 0, error },
  ],
  [`\`t1.1 pay\`: ToolFailed, \`${'x'.repeat(300)}\``, failed('ToolFailed', 'x'.repeat(300))],
  [`\`t1.1 pay\`: ToolFailed, \`${'x'.repeat(299)}…\``, failed('ToolFailed', 'x'.repeat(301))],
])('the last error is shown with its place: %s', (shown, fact) => {
  const lines = linesAfter({ type: 'output.rejected', turn: 1, error: 'before' }, fact);
  const at = lines.indexOf(`Last error: ${shown}`);
  expect(lines.slice(at - 1, at + 2)).toEqual(['', `Last error: ${shown}`, '']);
});

test.each<[string, FactBody]>([
  ['a call that a person denied', failed('Denied')],
  ['an exchange that completed', { type: 'exchange.end', turn: 1, reason: 'completed' }],
  [
    'a run that completed',
    { type: 'loop.end', reason: 'completed', turns: 1, usage: { prompt: 0, completion: 0 }, executionUnits: 0 },
  ],
  ['a result', { type: 'tool.result', ...on, content: [] }],
])('%s is not an error, and leaves the previous error', (_, fact) => {
  expect(errorAfter(called(1), fact)).toBeUndefined();
  const before = failed('ToolFailed');
  expect(errorAfter(called(1), before, fact)).toBe('Last error: `t1.1 pay`: ToolFailed, `no`');
});

import { humanReview, type Schema, toolApproval } from 'holdfast';
import { z } from 'zod';
import { check, toJsonSchema } from '../../../agent/contracts/schema';

const approval = toolApproval.versions['1.0.0'];
const review = humanReview.versions['1.0.0'];
const approved = approval.emits['evt.tool.approval.success'];
const reviewed = review.emits['evt.human.review.success'];

it('the contracts for people have the types of their events', () => {
  expect(toolApproval).toMatchObject({ type: 'com.tool.approval', systemError: 'sys.com.tool.approval.error' });
  expect(humanReview).toMatchObject({ type: 'com.human.review', systemError: 'sys.com.human.review.error' });
});

it.each<[string, Schema, unknown]>([
  ['a question for tools', approval.accepts, { message: 'May I?', tools: ['refund'] }],
  ['an approval', approved, { approvals: [{ tool: 'refund', value: true }] }],
  ['a denial with a comment', approved, { approvals: [{ tool: 'refund', value: false, comments: 'no' }] }],
  ['an approval of nothing', approved, { approvals: [] }],
  ['a question', review.accepts, { prompt: 'Is this right?' }],
  ['an answer with an extra field', reviewed, { response: 'yes', by: 'ann' }],
])('%s fits, by the schema and by its JSON Schema', async (_what, schema, value) => {
  expect(await check(schema, value)).toEqual({ ok: true, value });
  expect(z.fromJSONSchema(toJsonSchema(schema) as never).safeParse(value).success).toBe(true);
});

it.each<[string, Schema, unknown, string]>([
  ['no tools', approval.accepts, { message: 'May I?', tools: [] }, 'tools: Expected at least 1, got 0'],
  [
    'a tool that is not a text',
    approval.accepts,
    { message: 'x', tools: ['a', 1] },
    'tools.1: Expected string, got number',
  ],
  ['no message', approval.accepts, { tools: ['a'] }, 'message: It is missing'],
  [
    'a value that is not a boolean',
    approved,
    { approvals: [{ tool: 'a', value: 'yes' }] },
    'approvals.0.value: Expected',
  ],
  ['approvals that are not a list', approved, { approvals: {} }, 'approvals: Expected array, got object'],
  ['nothing', reviewed, null, 'Expected object, got null'],
  ['a list', review.accepts, [], 'Expected object, got array'],
])('%s does not fit, by the schema and by its JSON Schema', async (_what, schema, value, problem) => {
  expect(await check(schema, value)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  expect(z.fromJSONSchema(toJsonSchema(schema) as never).safeParse(value).success).toBe(false);
});

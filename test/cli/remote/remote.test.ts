import { call, text } from 'holdfast/testing';
import { type GatewayKit, startGatewayKit, TOKEN } from '../../client/gateway/kit';
import { until } from '../../until';
import { holdfastAt, type Printed } from '../at-terminal';

let gateway: GatewayKit;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  env = { ...process.env };
  gateway = await startGatewayKit();
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.kit.model.reset();
  process.env.HOLDFAST_URL = gateway.url;
  process.env.HOLDFAST_TOKEN = TOKEN;
  process.env.HOLDFAST_CONNECT_TIMEOUT = '0';
});
afterEach(() => {
  process.env = { ...env };
});

const holdfast = (...args: string[]): Promise<Printed> => holdfastAt('pipe', ...args);

/** Starts a run without following it. */
async function start(agent: string, input: string): Promise<string> {
  const { out, code, err } = await holdfast('run', agent, input, '--detach');
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^left /) });
  return out.trim();
}
async function waits(id: string): Promise<void> {
  await until(async () => {
    const { approvals, questions } = await gateway.kit.client.get(id).waiting();
    return approvals.length + questions.length > 0;
  }, 'an approval or a question');
}
const idle = (id: string) =>
  until(async () => (await gateway.kit.client.get(id).state()).idle, 'the conversation to be idle');
const done = (out: string) => ({ code: 0, out: expect.stringMatching(out), err: '' });

test('a run is started, decided and shown', async () => {
  gateway.kit.model.script(call('pay', { amount: 7 }), text('Paid.'));
  const id = await start('support.clerk', '{"text": "pay"}');
  await waits(id);
  const inbox = await holdfast('inbox');
  expect(JSON.parse(inbox.out)).toMatchObject({ id, tool: 'pay', input: { amount: 7 } });
  expect((await holdfast('inbox', '--owner', 'other')).out).toBe('');
  expect(await holdfast('approve', id, 't1.9')).toMatchObject({ code: 1, err: expect.stringMatching(/t1\.9/) });
  expect(await holdfast('edit', id, 't1.1', '--input', '{"amount": 5}', '--comment', 'less')).toEqual(
    done(`t1\\.1 of ${id} by ann: less\n$`),
  );
  const tailed = await holdfast('tail', id);
  expect(tailed).toMatchObject({ code: 0, err: '' });
  expect(tailed.out).toMatch(/pay[\s\S]*done/);
  const facts = (await holdfast('tail', id, '--json')).out.trim().split('\n');
  expect(facts.map((line) => JSON.parse(line).seq)).toEqual(facts.map((_, i) => i + 1));
  const shown = await holdfast('show', id);
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out).toMatch(/^status +completed$/m);
  expect(shown.out).toMatch(/paid 5/);
  expect(await holdfast('show', id, '--tool', 't1.1')).toEqual(done('^paid 5\n$'));
  expect((await holdfast('runs', '--agent', 'support.clerk', '--status', 'completed')).out).toMatch(id);
  expect((await holdfast('runs', '--owner', 'other')).out).toBe('No run fits.\n');
  expect(await holdfast('cancel', id)).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/had already ended \(completed\): there is nothing to cancel\.$/m) },
  });
  expect(await holdfast('delete', id)).toEqual(done('is being deleted'));
});

test('`run` prints the result, and with `--id` attaches to the same run', async () => {
  gateway.kit.model.script(text('Done with it.'));
  const first = await holdfast('run', 'support.clerk', '{"text": "go"}', '--id', 'mail 17');
  expect(first).toMatchObject({ code: 0, out: 'Done with it.\n' });
  const again = await holdfast('run', 'support.clerk', '{"text": "go"}', '--id', 'mail 17', '--json');
  expect(JSON.parse(again.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'result',
    id: /^run {3}(.+)$/m.exec(first.err)?.[1],
    data: 'Done with it.',
  });
  gateway.kit.model.script({ fault: { kind: 'status', status: 401 } });
  expect(await holdfast('run', 'support.clerk', '{"text": "no"}')).toMatchObject({ code: 1, out: '' });
});

test('a conversation is directed', async () => {
  gateway.kit.model.script(text('Hello.'), call('refund', { amount: 3 }), text('Refunded.'));
  const id = await start('support.desk', 'Hi');
  await idle(id);
  expect(await holdfast('send', id, 'Refund', 'it')).toEqual(done(`^sent to ${id}: exchange 2\n$`));
  await waits(id);
  expect(await holdfast('approve', id, 't2.1')).toEqual(done('by ann'));
  await idle(id);
  expect(await holdfast('undo', id)).toEqual(done('^undone t2\\.1 refund: took back 3\n$'));
  expect(await holdfast('rename', id, 'The', 'refund')).toEqual(done('is now called The refund'));
  expect(await holdfast('raise-budget', id, '--tokens', '200000', '--time', '2h')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/budget/),
  });
  gateway.kit.model.script(call('ask_question', { question: 'Which order?' }), text('That one.'));
  expect(await holdfast('regenerate', id)).toEqual(done('answers again: exchange 3'));
  await waits(id);
  const { questions } = await gateway.kit.client.get(id).waiting();
  const question = questions[0]?.questionId ?? '';
  expect(await holdfast('answer', id, question, 'A-17')).toEqual(done(`^answered ${question} of ${id} by ann\n$`));
  await idle(id);
  expect(await holdfast('interrupt', id)).toMatchObject({ code: 1, err: expect.stringMatching(/^\S.*\n$/) });
  expect(await holdfast('retry', id)).toMatchObject({ code: 1 });
  expect(await holdfast('close', id)).toEqual(done('takes no more messages'));
});

test('what the served address refuses is an error of one line, with its exit code', async () => {
  expect(await holdfast('show', 'nowhere')).toEqual({
    code: 1,
    out: '',
    err: 'There is no run `nowhere`. Check the id and the namespace.\n',
  });
  expect(await holdfast('run', 'support.missing', 'x')).toMatchObject({ code: 2 });
  expect(await holdfast('run', 'support.clerk', '{"mail": 1}')).toMatchObject({ code: 2 });
  process.env.HOLDFAST_TOKEN = 'wrong';
  expect(await holdfast('runs')).toMatchObject({ code: 3, out: '', err: expect.stringMatching(/^\S.*\n$/) });
  process.env.HOLDFAST_TOKEN = 'with a space';
  expect(await holdfast('runs')).toMatchObject({ code: 2, err: expect.stringMatching(/^HOLDFAST_TOKEN: Expected/) });
  delete process.env.HOLDFAST_TOKEN;
  expect(await holdfast('runs')).toMatchObject({ code: 2, err: expect.stringMatching(/^HOLDFAST_TOKEN: Set it/) });
  expect(await holdfast('runs', '--url', `${gateway.url}/#token=${TOKEN}`)).toMatchObject({ code: 0, err: '' });
  expect(await holdfast('--url', 'http://127.0.0.1:9/#token=x', 'runs')).toEqual({
    code: 3,
    out: '',
    err: expect.stringMatching(/^No server answers at http:\/\/127\.0\.0\.1:9 .*\n$/),
  });
  expect(await holdfast('runs', '--url', 'agents.example.com')).toEqual({
    code: 2,
    out: '',
    err: '--url: Expected an http or https address, got `agents.example.com`\n',
  });
});

test.each([
  [['doctor'], /needs Temporal itself/],
  [['export', 'x'], /needs Temporal itself/],
  [['runs', 'nudge', 'x'], /needs Temporal itself/],
  [['show', 'x', '--prompt'], /needs Temporal itself/],
  [['send', 'x', 'Hello', '--by', 'bob'], /says who you are: leave out `--by`/],
  [['approve', 'x', 't1.1', '--role', 'finance'], /leave out `--role`/],
  [['run', 'support.clerk', 'x', '--owner', 'bob'], /leave out `--owner`/],
  [['runs', '--url', 'http://localhost', '--config', 'x.yaml'], /either `--url` or `--config`/],
])('%j says in one line that it does not go', async (args, line) => {
  expect(await holdfast(...args)).toEqual({ code: 2, out: '', err: expect.stringMatching(line) });
});

test('a shell completes the names of the agents at the address', async () => {
  const said: string[] = [];
  const log = jest
    .spyOn(console, 'log')
    .mockImplementation((line: string) => void said.push(line.split('\t', 1)[0] ?? ''));
  const offered = async (...words: string[]) => {
    await holdfast('completion', 'complete', '--', ...words);
    return said.splice(0);
  };
  expect(await offered('run', 'support.c')).toEqual(['support.clerk', ':4']);
  process.env.HOLDFAST_TOKEN = 'wrong';
  expect(await offered('run', 'support.c')).toEqual([':4']);
  log.mockRestore();
});

import fc from 'fast-check';
import { call, calls, text } from 'holdfast/testing';
import { waitForFact } from '../../../facts';
import { type GatewayKit, read, startGatewayKit } from '../kit';
import { metadataOf, pageOf, respond } from './page';

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.kit.model.reset());

/** Milliseconds after which a stream that only waits for people has told all that it has. */
const QUIET = 10_000;

const IDS = [
  't1.1',
  't1.2',
  't1.1/t1.1',
  't1.1/t9.9',
  '../t1.1',
  '/',
  '',
  '__proto__',
  'constructor',
  't1.1/t1.1/t1.1',
];
const id = fc.oneof(fc.constantFrom(...IDS), fc.string());
const STATES = [
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
];
/** Never an answer that could be right: decisions have ids that the server has not given. */
const part = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom(
        'dynamic-tool',
        'tool-desk',
        'tool-sign',
        'tool-',
        'data-edit',
        'step-start',
        'text',
        'file',
      ),
      toolCallId: fc.oneof(id, fc.anything()),
      toolName: fc.oneof(fc.constantFrom('pay', 'sign', '__proto__'), fc.anything()),
      state: fc.oneof(fc.constantFrom(...STATES), fc.anything()),
      approval: fc.oneof(
        fc.record({
          id: fc.oneof(id, fc.anything()),
          approved: fc.oneof(fc.boolean(), fc.anything()),
          reason: fc.anything(),
        }),
        fc.anything(),
      ),
      output: fc.anything(),
      errorText: fc.anything(),
      text: fc.anything(),
      url: fc.oneof(fc.constantFrom('data:,x', 'data:text/plain;base64,eA==', 'file:///etc/passwd'), fc.anything()),
      mediaType: fc.anything(),
      data: fc.oneof(fc.record({ toolCallId: id, input: fc.anything() }), fc.anything()),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);
const metadata = fc.oneof(
  fc.record(
    {
      facts: fc.oneof(fc.integer(), fc.constantFrom(1e308, -1, 0.5, '3'), fc.anything()),
      below: fc.oneof(fc.dictionary(id, fc.oneof(fc.integer(), fc.anything())), fc.anything()),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);
/** Mostly of the form that is expected: what is not is refused before anything looks at it. */
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 19, arbitrary: usual }, { weight: 1, arbitrary: fc.anything() });
const message = fc.record(
  {
    id: mostly(fc.constantFrom('x1', 'x0', '')),
    // What a person says begins an exchange, and these must not.
    role: mostly(fc.constant('assistant')).filter((role) => role !== 'user'),
    parts: mostly(fc.array(part)),
    metadata,
  },
  { requiredKeys: ['id', 'role', 'parts'] },
);
const body = fc.record(
  {
    id: mostly(fc.constant('hostile')),
    messages: mostly(fc.array(message, { minLength: 1, maxLength: 3 })),
    trigger: mostly(fc.constant('submit-message')),
  },
  { requiredKeys: ['id', 'messages'] },
);

/** Client-side and service answers are accepted from anyone who may write, so nothing here waits for one. */
test('whatever is sent in place of a chat, no answer is a failure, no stream hangs, and nothing is decided', async () => {
  gateway.kit.model.script(
    calls(['desk', { text: 'Pay' }], ['sign', {}]),
    call('pay', { amount: 3 }),
    text('Paid.'),
    text('Done.'),
  );
  const page = pageOf(gateway, 'support.boss', 'hostile');
  await page.chat.sendMessage({ text: 'Pay and sign' });
  const { runId } = metadataOf(page.chat);
  const path = `/v1/runs/${encodeURIComponent(runId)}`;
  const waiting = async () => (await read<object>(gateway.request(`${path}/waiting`))).body;
  const asked = await waiting();
  const facts = async () => (await gateway.kit.client.get(runId).state()).facts;
  const before = await facts();

  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (given, toAgent) => {
      const json = JSON.parse(JSON.stringify(given) ?? 'null');
      const address = toAgent ? '/v1/agents/support.boss/chat' : `${path}/chat`;
      const answer = await gateway.request(address, { json, signal: AbortSignal.timeout(QUIET) });
      const told = await answer.text();
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200) {
        expect(JSON.parse(told)).toMatchObject({ error: { type: expect.any(String), message: expect.any(String) } });
        return;
      }
      const lines = told.split('\n').filter((line) => line.startsWith('data: '));
      expect(lines.at(-1)).toBe('data: [DONE]');
      const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)));
      expect(chunks.map(({ type }) => type)).not.toContain('error');
    }),
    { numRuns: Number(process.env.RUNS ?? 300) },
  );

  expect(await waiting()).toEqual(asked);
  expect(await facts()).toBe(before);
  await respond(page.chat);
  await waitForFact(gateway.kit.client.get(runId), 'exchange.end');
});

import { text } from 'holdfast/testing';
import { type GatewayKit, keyFor, read, startGatewayKit } from './kit';
import { schemathesis } from './schemathesis';

const bob = keyFor('bob', ['start', 'read', 'message', 'decide']);
let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit({ keys: [bob.entry] });
});
afterAll(() => gateway.close());

test('whatever is sent to it, the gateway answers as its document says, and never with a 5xx', async () => {
  gateway.kit.model.script(...Array.from({ length: 10_000 }, () => text('Hi')));
  const { body } = await read<{ id: string }>(
    gateway.request('/v1/runs', { token: bob.token, json: { agent: 'support.desk', input: 'Hello' } }),
  );
  const { ok, printed } = await schemathesis(gateway.url, bob.token, body.id);
  expect(printed).toMatch(/Test cases:\s+\S+ generated/i);
  if (!ok) throw new Error(printed);
}, 900_000);

import { defineAgent } from 'holdfast';
import { call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { closeAfterTest } from '../close-after-test';
import { factsOf } from '../facts';
import { CLIENT, oauthServer } from '../fixtures/mcp/oauth-server';

test('a run calls a server that wants OAuth, also after its token was revoked, and no secret is in its history', async () => {
  const server = closeAfterTest(await oauthServer({ echoes: true }));
  const guarded = { url: server.url, auth: { ...CLIENT, issuer: server.issuer } };
  const agent = defineAgent({ name: 'test.guarded', instructions: 'Work.', mcp: { far: 'guarded' } });
  const env = closeAfterTest(await createAgentTestEnvironment({ agents: [agent], mcp: { guarded } }));
  env.model.script(
    call('far_work'),
    () => {
      server.revoke();
      return call('far_work');
    },
    () => {
      server.settings.refusesAll = true;
      return call('far_work');
    },
    text('done'),
  );
  const run = await env.start(agent, { input: 'go' });
  expect(await run.result()).toMatchObject({ data: 'done' });
  const facts = await factsOf(run);
  expect(facts.flatMap((fact) => (fact.type === 'tool.error' ? [fact.error.type] : []))).toEqual(['McpServerFailed']);
  const read = JSON.stringify(env.model.requests.at(-1)?.body);
  expect(read).toContain('The call did not reach the MCP server `far`: HTTP 401, also with a new token.');
  expect({ ran: server.ran(), asked: server.asked.length }).toEqual({ ran: 2, asked: 3 });
  const history = JSON.stringify(await env.history(run), (_key, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
  );
  const kept = `${JSON.stringify(facts)}${read}${history}`;
  expect(kept).toContain('also with a new token');
  for (const secret of [CLIENT.clientSecret, ...server.ever]) expect(kept).not.toContain(secret);
  await env.replay(run);
});

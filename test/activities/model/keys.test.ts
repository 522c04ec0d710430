import { type ScriptedModel, text } from '../../kit/scripted-model';
import { ask, configOf, model } from './asking';

describe('keys', () => {
  const authorization = (server: ScriptedModel) => server.requests.map((request) => request.headers.authorization);

  test('the configured key is sent, and additional headers', async () => {
    const server = await model(text('x'), text('x'));
    await ask(configOf(server, { apiKey: 'k1', headers: { 'x-team': 'blue' } }));
    await ask(configOf(server, { apiKey: 'k1', headers: { authorization: 'Basic abc' } }));
    expect(authorization(server)).toEqual(['Bearer k1', 'Basic abc']);
    expect(server.requests[0]?.headers['x-team']).toBe('blue');
  });

  test("OpenAI's key and organization of the environment are never sent to another server", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { OPENAI_API_KEY: 'env-key', OPENAI_ADMIN_KEY: 'env-admin', OPENAI_ORG_ID: 'env-org' });
    try {
      const server = await model(text('x'));
      await ask(configOf(server));
      expect(authorization(server)).toEqual([undefined]);
      expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('env-');
    } finally {
      for (const name of ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
});

import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fault, ScriptedModel } from 'holdfast/testing';
import { defineModel, ModelServerError } from 'holdfast/worker';
import type { Finding } from '../../../cli/doctor/finding';
import { callModels } from '../../../cli/doctor/models';
import { closeAfterTest } from '../../close-after-test';
import { selfSigned } from '../../self-signed';

const KEY = 'key-that-must-stay-secret';
const model = new ScriptedModel();
beforeAll(() => model.start());
afterAll(() => model.close());
afterEach(() => model.reset());

async function findings(models: Parameters<typeof callModels>[1]): Promise<Finding[]> {
  const found: Finding[] = [];
  await callModels((finding) => found.push(finding), models);
  expect(JSON.stringify(found)).not.toContain(KEY);
  return found;
}

async function addressOf(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTest({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('what is said about the only call of a model names its alias', () => {
  const only = async (status: number, message: string, given: object = {}) => {
    model.script(fault({ kind: 'status', status, message }));
    const [finding] = await findings({ fast: { baseUrl: model.url, model: 'm', ...given } });
    return finding;
  };

  it('and tells a wrong address from a wrong model', async () => {
    expect(await only(404, 'Unknown request URL: /v2/chat/completions')).toMatchObject({
      found: expect.stringMatching(/has no model `m`, or no API at this address \(404 Unknown request URL/),
      todo: 'check `baseUrl` of `fast` in temporal.yaml, then `model` of `fast` in temporal.yaml',
    });
    expect(await only(404, 'The model does not exist')).toMatchObject({
      found: expect.stringMatching(/has no model `m` \(404 The model does not exist\)$/),
      todo: 'correct `model` of `fast` in temporal.yaml',
    });
  });

  it('and tells a missing key from a wrong one', async () => {
    expect(await only(401, 'no key given')).toMatchObject({
      found: expect.stringMatching(/wants a key for `m` \(401 no key given\), and `fast` has none$/),
      todo: expect.stringMatching(/^set `apiKey` of `fast` in temporal\.yaml, such as /),
    });
    expect(await only(401, 'no such key', { apiKey: KEY })).toMatchObject({
      found: expect.stringMatching(/refused the key for `m` \(401 no such key\)$/),
      todo: 'check `apiKey` of `fast` in temporal.yaml, and the environment variable that it names',
    });
  });

  it('and a request that is rejected', async () => {
    expect(await only(400, 'Unsupported parameter: max_tokens')).toMatchObject({
      found: expect.stringMatching(/rejected the request for `m` \(400 Unsupported parameter: max_tokens\)$/),
      todo: 'check `fast`: its model, its address and its other settings',
    });
  });

  it('and an address that redirects elsewhere', async () => {
    const away = createServer((_, response) => response.writeHead(302, { location: 'https://example.com/' }).end());
    const [finding] = await findings({ fast: { baseUrl: `${await addressOf(away)}/v1`, model: 'm' } });
    expect(finding?.todo).toBe('check `baseUrl` of `fast` in temporal.yaml');
  });

  it('and what makes a certificate trusted', async () => {
    const pem = await selfSigned();
    const secret = createSecureServer({ key: pem, cert: pem });
    const baseUrl = (await addressOf(secret)).replace('http:', 'https:');
    const [finding] = await findings({ fast: { baseUrl, model: 'm' } });
    expect(finding).toMatchObject({
      found: expect.stringContaining('self-signed certificate'),
      todo: expect.stringContaining('NODE_EXTRA_CA_CERTS, here and where the worker runs'),
    });
  });

  it('and what a function did wrong', async () => {
    const cut = defineModel({
      model: 'm',
      async *stream() {
        yield { type: 'text', text: 'x' };
      },
    });
    const thrown = defineModel({
      model: 'm',
      // biome-ignore lint/correctness/useYield: it fails before it answers
      async *stream() {
        throw new Error('boom');
      },
    });
    const wrong = defineModel({ model: 'm', stream: (() => 'x') as never });
    const todos = (await findings({ cut, thrown, wrong })).map(({ todo }) => todo);
    expect(todos).toEqual([
      'check `stream` in the module of `cut`, and the server that it asks',
      'check `stream` in the module of `thrown`, and the server that it asks',
      'correct `stream` in the module of `wrong`',
    ]);
  });

  it('and the module of a model that comes from one', async () => {
    const failing = defineModel({
      name: 'house',
      model: 'm',
      // biome-ignore lint/correctness/useYield: it fails before it answers
      async *stream() {
        throw new ModelServerError('unknown', { status: 404 });
      },
    });
    const [finding] = await findings({ fast: failing });
    expect(finding?.todo).toBe(
      'check the address in the module of `fast`, then the name of the model in the module of `fast`',
    );
  });
});

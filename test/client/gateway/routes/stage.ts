import type { GatewayConfig } from 'holdfast/server';
import { text } from 'holdfast/testing';
import { newGate } from '../../../gate';
import { type GatewayKit, read, startGatewayKit } from '../kit';
import { until } from '../until';

/** The body of an answer. */
export type Found = { [name: string]: unknown };

/** An answer of the model that a test lets go. */
export function held(content: string) {
  const gate = newGate();
  return {
    release: gate.open,
    step: async () => {
      await gate.opened;
      return text(content);
    },
  };
}

/** A gateway for the tests of one file, and what they ask of it. */
export function routesStage(config: Partial<GatewayConfig> = {}) {
  let kit: GatewayKit;
  beforeAll(async () => {
    kit = await startGatewayKit(config);
  });
  afterAll(() => kit.close());
  beforeEach(() => kit.kit.model.reset());

  const request: GatewayKit['request'] = (path, init) => kit.request(path, init);
  const get = <T = Found>(path: string) => read<T>(request(path));
  const post = <T = Found>(path: string, json: unknown = undefined, init: object = {}) =>
    read<T>(request(path, json === undefined ? { method: 'POST', ...init } : { json, ...init }));
  return {
    request,
    get,
    post,
    /** The scripted model. */
    model: () => kit.kit.model,
    /** Starts a conversation, and gives its path. */
    async talk(...script: Parameters<GatewayKit['kit']['model']['script']>): Promise<string> {
      kit.kit.model.script(...script);
      const { status, body } = await post<{ id: string }>('/v1/runs', { agent: 'support.desk', input: 'Hello' });
      expect(status).toBe(201);
      return `/v1/runs/${body.id}`;
    },
    idle: (run: string) => until(async () => (await get(run)).body.idle === true),
    said: async (run: string) => JSON.stringify((await get(`${run}/transcript`)).body),
    /** What a run waits for, when it waits for something of this kind. */
    async waiting(run: string, kind = 'approvals') {
      let found: { [field: string]: string }[] = [];
      await until(async () => {
        found = (await get<{ [kind: string]: typeof found }>(`${run}/waiting`)).body[kind] ?? [];
        return found.length > 0;
      });
      return found;
    },
  };
}

import { type AgentTestEnvironment, createAgentTestEnvironment, ScriptedModel } from 'holdfast/testing';
import type { ServerModel } from '../../../agent/model/config';
import type { TestEnvironmentOptions } from '../../kit/environment';

interface StageOptions<Name extends string> extends Omit<TestEnvironmentOptions, 'models'> {
  /** Aliases, each with a server of its own. */
  names: readonly Name[];
  /** Fields of every model. */
  config?: Partial<ServerModel>;
  /** Fields of single models. */
  configs?: { readonly [name in Name]?: Partial<ServerModel> };
}

interface ModelsStage<Name extends string> {
  servers: { readonly [name in Name]: ScriptedModel };
  /** From the first test on. */
  kit(): AgentTestEnvironment;
}

/** An environment for all tests of a file, whose models have servers of their own. Scripts end with their test. */
export function stageOfModels<Name extends string>({
  names,
  config,
  configs = {},
  ...options
}: StageOptions<Name>): ModelsStage<Name> {
  const named = names.map((name) => [name, new ScriptedModel()] as const);
  const each = named.map(([, server]) => server);
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    await Promise.all(each.map((server) => server.start()));
    const models = named.map(([name, { url }]) => [
      name,
      { baseUrl: url, model: `${name}-model`, ...config, ...configs[name] },
    ]);
    kit = await createAgentTestEnvironment({ ...options, models: Object.fromEntries(models) });
  });
  afterEach(() => {
    for (const server of [kit.model, ...each]) server.reset();
  });
  afterAll(async () => {
    await kit.close();
    for (const server of each) await server.close();
  });
  return { servers: Object.fromEntries(named) as ModelsStage<Name>['servers'], kit: () => kit };
}

import type { InputOf, OutputOf, Schema } from '../contracts/schema';
import type { Agent, AgentDefinition, AgentVersion, Mode } from './agent-definition';
import { checkAgent } from './checks/agent';
import type { AnyTool } from './tool-definition';

type Unknown<T, Otherwise> = unknown extends T ? Otherwise : T;

/**
 * Defines an agent and checks all of it: names, schemas, tools, limits.
 * @throws HoldfastError `InvalidDefinition`, naming the place
 */
export function defineAgent<
  In extends Schema = Schema<unknown, unknown>,
  Out extends Schema = Schema<unknown, string>,
  Tools extends { readonly [name: string]: AnyTool } = { readonly [name: string]: AnyTool },
  M extends Mode = 'task',
  Versions extends AgentDefinition['versions'] = undefined,
>(
  definition: AgentDefinition<In, Out, Tools, M> & { versions?: Versions },
): Agent<InputOf<In>, Versions extends undefined ? Unknown<OutputOf<Out>, string> : unknown, M> {
  // The checks do not need the types that its schemas describe.
  const checked = definition as unknown as AgentDefinition;
  checkAgent(checked);
  return Object.freeze({ name: definition.name, definition: Object.freeze({ ...checked }) });
}

/** Types the builders of one version of an agent by its schemas. */
export function defineVersion<
  In extends Schema = Schema<unknown, unknown>,
  Out extends Schema = Schema<unknown, unknown>,
>(version: AgentVersion<In, Out>): AgentVersion {
  // As for an agent: the checks do not need the types.
  return version as unknown as AgentVersion;
}

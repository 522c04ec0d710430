import type { InputOf, OutputOf, Schema } from '../contracts/schema';
import type { Agent, AgentDefinition, Mode } from './agent-definition';
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
>(definition: AgentDefinition<In, Out, Tools, M>): Agent<InputOf<In>, Unknown<OutputOf<Out>, string>, M> {
  // The checks do not need the types that its schemas describe.
  const checked = definition as unknown as AgentDefinition;
  checkAgent(checked);
  return Object.freeze({ name: definition.name, definition: Object.freeze({ ...checked }) });
}

import { randomUUID } from 'node:crypto';
import { check } from '../../../agent/contracts/schema';
import type { Agent } from '../../../agent/define/agent-definition';
import { isAgentName } from '../../../agent/define/agent-name';
import { definitionAt } from '../../../agent/define/versions';
import { HoldfastError } from '../../../agent/errors/error';
import { checkRunInput } from '../../../agent/protocol/check-run-input';
import type { RunInput } from '../../../agent/protocol/run';
import { defined } from '../../../agent/values/defined';
import { activeTraceparent } from '../../../runtime/telemetry/active';
import type { StartOptions } from '../../client-options';
import type { Start } from './start-run';

/**
 * The agent's name.
 * @throws HoldfastError `InvalidAgentName`
 */
export function agentName(agent: Agent | string): string {
  const name = typeof agent === 'string' ? agent : agent.name;
  if (!isAgentName(name)) throw new HoldfastError('InvalidAgentName', { name: String(name) });
  return name;
}

/** Characters of a title: a list shows fewer. */
const MAX_TITLE = 200;

/**
 * A start whose known mistakes are reported before the server is called.
 * @throws HoldfastError `InvalidAgentName`, `InvalidInput`, `UnknownVersion`
 */
export async function checkedStart(
  agent: Agent | string,
  options: StartOptions & { taskQueue: string },
): Promise<Start> {
  const name = agentName(agent);
  const schema = typeof agent === 'string' ? undefined : definitionAt(agent.definition, options.version).inputSchema;
  if (schema !== undefined) {
    const checked = await check(schema, options.input);
    if (!checked.ok) throw new HoldfastError('InvalidInput', { agent: name, problem: checked.problem });
  }
  const traceparent = options.traceparent ?? activeTraceparent();
  const { owner, metadata, version, budget, taskQueue } = options;
  const given = (options.input ?? null) as NonNullable<RunInput['input']> | null;
  const input = checkRunInput(name, { input: given, ...defined({ owner, metadata, version, budget, traceparent }) });
  const id = options.id ?? `${name}-${randomUUID().slice(0, 8)}`;
  return { agent: name, id, taskQueue, input, ...defined({ title: options.title?.trim().slice(0, MAX_TITLE) }) };
}

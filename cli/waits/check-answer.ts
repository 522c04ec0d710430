import type { Client } from '@temporalio/client';
import { checkAgainstSchema } from '../../activities/schemas/check';
import { HoldfastError } from '../../agent/errors/error';
import { ANSWER_PROBLEM } from '../../agent/prompts/calls/services';
import { QUERY } from '../../agent/protocol/activities';
import type { Manifest } from '../../agent/protocol/manifest';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import type { RunState } from '../../agent/state/run-state';
import type { Json } from '../../agent/values/json';
import { patientQuery } from '../../client/requests/patient-query';

/** The answer of a service. Plain data has no `type`: it is the first answer of the contract that it fits. */
export interface GivenAnswer {
  type?: string | undefined;
  data: Json;
}

interface Asked {
  id: string;
  toolUseId: string;
  /** The run before the answer. */
  state: RunState;
  /** Milliseconds. */
  workerTimeout: number;
}

/**
 * Refuses an answer that breaks the contract which its run has pinned. The run would take it, and tell the model that the
 * service has failed: the call could not be answered again.
 * @throws HoldfastError `InvalidEvent`; `NoWorker`
 */
export async function checkAnswer(client: Client, answer: GivenAnswer, asked: Asked): Promise<void> {
  const { id, toolUseId, state, workerTimeout } = asked;
  const call = state.batch.find((one) => one.toolUseId === toolUseId && one.waits === 'answer');
  // What waits for no answer, the run says itself.
  if (call === undefined) return;
  const manifest = await patientQuery<Manifest | null>(client, id, QUERY.pinned, {
    argument: 'manifest',
    workerTimeout,
  });
  const tool = manifest?.tools.find((one) => one.name === call.name);
  if (tool?.kind !== 'service') return;
  const problem = problemOf(answer, tool.service.contract);
  if (problem === undefined) return;
  const message = `The answer of ${toolUseId} breaks the contract of \`${call.name}\`: ${problem}. It was not sent.`;
  throw new HoldfastError('InvalidEvent', { problem }, { message });
}

/** As a worker checks it once all calls of the batch are answered. */
function problemOf({ type, data }: GivenAnswer, contract: ServiceSpec['contract']): string | undefined {
  const { emits, systemError } = contract;
  if (type === systemError) return undefined;
  if (type !== undefined && !Object.hasOwn(emits, type)) return ANSWER_PROBLEM.type(type, Object.keys(emits));
  const problems: [type: string, problem: string][] = [];
  for (const [one, schema] of Object.entries(emits)) {
    if (type !== undefined && one !== type) continue;
    const checked = checkAgainstSchema(schema, data);
    if (checked.ok) return undefined;
    problems.push([one, checked.problem]);
  }
  const [[, only = ''] = []] = problems;
  return problems.length === 1 ? only : ANSWER_PROBLEM.fitsNone(problems);
}

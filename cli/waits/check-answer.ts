import type { Client } from '@temporalio/client';
import { checkAgainstSchema } from '../../activities/schemas/check';
import { answerVerdict, type GivenAnswer } from '../../activities/services/answer-verdict';
import { HoldfastError } from '../../agent/errors/error';
import type { Manifest } from '../../agent/protocol/manifest';
import { QUERY } from '../../agent/protocol/queries';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import type { RunState } from '../../agent/state/run-state';
import { patientQuery } from '../../client/requests/patient-query';

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
function problemOf(answer: GivenAnswer, { emits, systemError }: ServiceSpec['contract']): string | undefined {
  if (answer.type === systemError) return undefined;
  const verdict = answerVerdict(emits, answer, checkAgainstSchema);
  return verdict.ok ? undefined : verdict.problem;
}

import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { BYTES } from '../../agent/limits';
import { COMMAND } from '../../agent/protocol/commands/command';
import { checkEvent, type GivenEvent } from '../../agent/protocol/event';
import { type Json, jsonBytes } from '../../agent/values/json';
import { isNestedDeeper, MAX_DEPTH } from '../../agent/values/json-depth';
import { orHoldfastError } from '../requests/client-error';
import { endedOrMissing } from '../requests/ended-or-missing';

/** The payload of the signal `toolResult`. */
export type CallAnswer = { toolUseId: string; idempotencyKey?: string } & ({ data: Json } | { error: string });

/** Sends an event to the run that its subject names. */
export async function answerService(client: Client, given: GivenEvent): Promise<void> {
  const event = checkEvent(given);
  await tell(client, event.subject, COMMAND.serviceAnswer, event);
}

/** Sends the answer to one call to its run. */
export async function answerCall(client: Client, id: string, answer: CallAnswer): Promise<void> {
  checkAnswer(answer);
  await tell(client, id, COMMAND.toolResult, answer);
}

function checkAnswer(answer: { toolUseId: string; data?: Json; error?: string }): void {
  const { toolUseId, data, error } = answer;
  if (typeof toolUseId !== 'string' || toolUseId === '') refuse('Expected the `toolUseId` of the call');
  if ((data === undefined) === (error === undefined)) refuse('Expected either `data` or `error`');
  if (error !== undefined && typeof error !== 'string') refuse('Expected `error` to be a string');
  if (isNestedDeeper(answer, MAX_DEPTH + 1)) refuse(`It is nested deeper than ${MAX_DEPTH} levels`);
  const bytes = jsonBytes(answer);
  if (bytes <= BYTES.answer) return;
  refuse(`It is ${bytes} bytes, more than the limit of ${BYTES.answer}; send a reference to larger data`);
}

async function tell(client: Client, id: string, signal: string, message: unknown): Promise<void> {
  const handle = client.workflow.getHandle(id);
  try {
    await handle.signal(signal, message);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw orHoldfastError(error, id);
    throw await endedOrMissing(client, id);
  }
}

function refuse(problem: string): never {
  throw new HoldfastError('InvalidEvent', { problem });
}

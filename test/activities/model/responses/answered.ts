import type { ModelAnswer } from '../../../../agent/model/answer';
import type { ServerModel } from '../../../../agent/model/config';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { modelAt, type ResponseStep, responseServer } from './response-server';

/** The answer to one request, and the deltas that readers saw. */
export async function answered(
  step: ResponseStep,
): Promise<{ answer: ModelAnswer; deltas: DeltaBody[]; config: ServerModel }> {
  const config = modelAt(await responseServer(step));
  const deltas: DeltaBody[] = [];
  const answer = await ask(config, { tools: [lookup], onDelta: (delta) => deltas.push(delta) });
  return { answer, deltas, config };
}

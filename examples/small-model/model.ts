import { type ChatRequest, fault, type ModelReply } from 'holdfast/testing';
import { diligent } from './model/diligent';
import { babbling, forgetful, inventing, router } from './model/planning';
import { refusing, repeating, silent, speechless, stopping } from './model/weak';

const MODELS: { readonly [name: string]: (request: ChatRequest) => ModelReply } = {
  ...{ diligent, stopping, refusing, silent, speechless, repeating, babbling, inventing, router, forgetful },
};

/** Plays all models of the example, which a request names. Another one does not exist. */
export function play(request: ChatRequest): ModelReply {
  const model = MODELS[request.model];
  const missing = { kind: 'status', status: 404, message: `There is no model ${request.model}` } as const;
  return model === undefined ? fault(missing) : model(request);
}

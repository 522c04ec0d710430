import type { ModelAdapter } from '../../../../agent/model/adapter';
import type { ServerModel } from '../../../../agent/model/config';
import { valuesIn } from '../../../json-extent';
import { clientFor } from '../openai/client';
import { readResponse } from '../openai/read-response';
import { addressOf, secretsOf } from '../openai/secrets';
import { ResponseParts } from './response-parts';
import { responsesRequest } from './responses-request';

/** Speaks with a server that has OpenAI's Responses. */
export function responsesAdapter(config: ServerModel): ModelAdapter {
  return {
    kind: 'responses',
    provider: addressOf(config.baseUrl),
    secrets: () => secretsOf(config),
    stream(request, call) {
      const body = responsesRequest(request);
      const headers = { ...request.settings.extraHeaders, ...request.headers };
      const options = { signal: call.signal, headers };
      const send = () => clientFor(config).responses.create(body, options).asResponse();
      const parts = new ResponseParts();
      return readResponse(config, call, send, {
        event: (event) => parts.ofEvent(event),
        whole: (json) => parts.ofWhole(json),
        answer: 'a response',
        // Its first and its last events have the tools and the form of the answer in them.
        repeated: valuesIn([body.tools, body.text]),
      });
    },
  };
}

import type { ModelAdapter } from '../../../../agent/model/adapter';
import type { ServerModel } from '../../../../agent/model/config';
import { unsentBy, unsentSettings } from '../../../../agent/model/unsent-settings';
import { valuesIn } from '../../../json-extent';
import { readResponse } from '../openai/read-response';
import { addressOf, secretsOf } from '../openai/secrets';
import { sendBody } from '../openai/send-body';
import { Warnings } from '../warnings';
import { ResponseParts } from './response-parts';
import { responsesRequest } from './responses-request';

/** By address and model: with the settings of an agent, each of its runs has a configuration, and an adapter, of its own. */
const logged = new Map<string, Warnings>();

function warningsOf(about: { provider: string; model: string }): Warnings {
  const key = JSON.stringify(about);
  const warnings = logged.get(key) ?? new Warnings(about);
  logged.set(key, warnings);
  return warnings;
}

/** Speaks with a server that has OpenAI's Responses. */
export function responsesAdapter(config: ServerModel): ModelAdapter {
  const provider = addressOf(config.baseUrl);
  return {
    kind: 'responses',
    provider,
    unsent: unsentBy('responses'),
    secrets: () => secretsOf(config),
    stream(request, call) {
      // Of the agent, whose other models may have them.
      warningsOf({ provider, model: config.model }).log(
        unsentSettings(request.settings, 'responses').map(({ problem }) => problem),
      );
      const body = responsesRequest(request);
      const send = () => sendBody(config, { path: '/responses', body, list: 'input', request, call });
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

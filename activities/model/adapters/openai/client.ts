import OpenAI from 'openai';
import type { ServerModel } from '../../../../agent/model/config';
import { remembered } from '../../../../agent/values/remembered';
import { sameOriginFetch } from '../../../../runtime/same-origin-fetch';
import { excessOf } from '../../../json-extent';
import { errorText } from './body';
import { errorIn } from './error-body';
import { post } from './post';

/**
 * The client's own timeout ends at the headers, but a silence may begin after them: we watch ourselves. The longest
 * timer.
 */
const NEVER = 2 ** 31 - 1;

/** The client of a model's server. Creating one takes as long as sending a request with it. */
export const clientFor = remembered((config: ServerModel): OpenAI => {
  return new OpenAI({
    baseURL: config.baseUrl,
    // The client reads the environment for what is undefined, and would send OpenAI's key to any server.
    apiKey: config.apiKey || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: { ...(config.apiKey ? {} : { Authorization: null }), ...config.headers },
    // Temporal retries; the client's own retries sleep and ignore an abort.
    maxRetries: 0,
    timeout: NEVER,
    logLevel: 'off',
    fetch: async (url, init) => {
      const response = await sameOriginFetch(url, init, post);
      return response.ok ? response : withOpenAiError(response);
    },
  });
});

/** The client would drop or quote the message of an error that is not in OpenAI's form. */
async function withOpenAiError(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await errorText(response);
  const excess = excessOf(text);
  let body = text;
  try {
    body = JSON.stringify(
      excess === undefined ? inOpenAiForm(JSON.parse(text)) : { error: { message: `JSON ${excess}` } },
    );
  } catch {
    // Not JSON: the client shows the text itself.
  }
  return new Response(body, { status, statusText, headers });
}

function inOpenAiForm(json: unknown): unknown {
  const error = errorIn(json);
  return error === undefined ? json : { error };
}

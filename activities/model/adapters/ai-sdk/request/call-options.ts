import type { ModelRequest } from '../../../../../agent/model/adapter';
import { defined } from '../../../../../agent/values/defined';
import { callsInWords } from '../../../request/calls-in-words';
import { stillImages } from '../../../request/still-images';
import { withCallIds } from '../../call-ids';
import { joinedOptions } from '../provider-traits';
import { markPrefixes } from './cache-marks';
import type { Dialect } from './dialect';
import type { IsOpened } from './opened-urls';
import { promptOf } from './prompt';
import type { CallOptions } from './prompt-form';

/** The options of one call, in the form of the AI SDK's specification. */
export function callOptions(
  request: ModelRequest,
  dialect: Dialect & { isOpened: IsOpened },
  abortSignal: AbortSignal,
): CallOptions {
  const { system, messages, tools, toolChoice, parallelToolCalls, output, settings, headers } = request;
  const { temperature, topP, maxTokens, stop, seed, reasoningEffort } = settings;
  const { version, cacheMark, oneCallAtATime } = dialect;
  const mayCall = tools.length > 0 && toolChoice !== 'none';
  const shown = dialect.stillImages ? stillImages(messages) : messages;
  const transcript = dialect.dropsCalls && !mayCall ? callsInWords(shown) : withCallIds(shown, dialect.callId);
  const prompt = promptOf(transcript, dialect);
  if (system !== undefined) prompt.unshift({ role: 'system', content: system });
  const oneByOne = tools.length > 0 && parallelToolCalls === false ? oneCallAtATime : undefined;
  const options: CallOptions = {
    prompt,
    abortSignal,
    includeRawChunks: true,
    headers: { ...settings.extraHeaders, ...headers },
    ...defined({
      temperature,
      topP,
      seed,
      maxOutputTokens: maxTokens,
      stopSequences: stop === undefined ? undefined : [...stop],
      reasoning: version === 'v4' ? reasoningEffort : undefined,
      providerOptions: joinedOptions(oneByOne, settings.providerOptions),
    }),
  };
  if (tools.length > 0) {
    options.tools = tools.map((tool) => ({ type: 'function', ...tool }));
    if (toolChoice !== undefined) {
      options.toolChoice =
        typeof toolChoice === 'string' ? { type: toolChoice } : { type: 'tool', toolName: toolChoice.tool };
    }
  }
  if (output !== undefined) {
    options.responseFormat =
      output.type === 'schema' ? { type: 'json', schema: output.schema, name: 'output' } : { type: 'json' };
  }
  if (cacheMark !== undefined) markPrefixes(options, cacheMark, request.turnMessage === true ? 2 : 1);
  return options;
}

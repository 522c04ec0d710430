import type { AnswerEvents, ModelAdapter, ModelCall, ModelRequest } from '../../../../agent/model/adapter';
import { defined } from '../../../../agent/values/defined';
import { isJsonObject } from '../../../../agent/values/json';
import { ModelServerError } from '../../failures/server-error';
import { Warnings } from '../warnings';
import { readStream } from './answer/read-stream';
import { StreamParts } from './answer/stream-parts';
import { errorOf } from './errors';
import type { AiSdkModel } from './language-model';
import { ProviderSecrets } from './provider-secrets';
import { callOptions } from './request/call-options';
import type { Dialect } from './request/dialect';
import { openedUrls } from './request/opened-urls';
import { serverOf } from './server-of';
import { unsentBy, unsentSettings } from './settings';
import { checkFormatIsSent, structuredOutputOf } from './structured-output';

/** Speaks with a provider through its AI SDK object. */
export function aiSdkAdapter(model: AiSdkModel, dialect: Dialect): ModelAdapter {
  const { provider, modelId } = model;
  const secrets = new ProviderSecrets(model);
  const warnings = new Warnings({ provider, model: modelId });

  async function* stream(request: ModelRequest, call: ModelCall): AsyncGenerator<AnswerEvents> {
    const { settings, parallelToolCalls } = request;
    // Of the agent: those of the model were checked when it was made.
    const asked = { ...settings, ...defined({ parallelToolCalls }) };
    warnings.log(unsentSettings(asked, { provider, version: dialect.version }).map(({ problem }) => problem));
    const answer = new StreamParts();
    let sent: { [name: string]: string } = {};
    const onSent = (headers: Headers) => {
      sent = Object.fromEntries(headers);
    };
    try {
      const isOpened = await openedUrls(model, dialect);
      const options = callOptions(request, { ...dialect, isOpened }, call.signal);
      for await (const part of readStream(model, options, { ...call, sent: onSent })) {
        if (isJsonObject(part) && part.type === 'stream-start') {
          if (request.output !== undefined) checkFormatIsSent(part.warnings);
          warnings.log(part.warnings);
        }
        const parts = answer.read(part);
        if (parts.length > 0) yield [parts];
      }
    } catch (error) {
      const told = errorOf(error);
      // What a server has answered is told after an abort, too.
      if (!call.signal.aborted || told instanceof ModelServerError)
        await secrets.learn({ ...settings.extraHeaders, ...sent });
      throw told;
    }
  }

  return {
    kind: 'ai-sdk',
    provider,
    ...defined({ server: serverOf(model), structuredOutput: structuredOutputOf(model) }),
    unsent: unsentBy({ provider, version: dialect.version }),
    ...(dialect.cacheMark === undefined ? {} : { marksPrefixes: true }),
    secrets: () => secrets.list,
    stream,
  };
}

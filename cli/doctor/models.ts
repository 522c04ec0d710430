import { adapterFor } from '../../activities/model/adapters/adapter-for';
import { type Ignored, tellWarningsTo } from '../../activities/model/adapters/warnings';
import { ModelCallStopped } from '../../activities/model/answer/stream-answer';
import type { ModelConfig } from '../../agent/model/config';
import { usageText } from '../lines/spent-text';
import { callFailure, serverOf } from './call-failure';
import { capabilitiesOf, SHORT } from './capabilities';
import type { Finding, Tell } from './finding';
import { trialsOf } from './try-model';

/** Milliseconds that a model may take for one answer of a few words. */
const PATIENCE = 20_000;

/**
 * Finds out what each model can do, by six small calls. All servers are called at once, but the models of one server one
 * after the other, since a local server may have to load each.
 */
export async function callModels(
  tell: Tell,
  models: Readonly<Record<string, ModelConfig>>,
  patience = PATIENCE,
): Promise<void> {
  const ignored: Ignored[] = [];
  tellWarningsTo((one) => ignored.push(one));
  const calls = new Map<string, Promise<Finding>>();
  const ofServer = new Map<string, Promise<unknown>>();
  for (const [alias, config] of Object.entries(models)) {
    const server = adapterFor(config).provider;
    const call = (ofServer.get(server) ?? Promise.resolve()).then(() => callModel(alias, config, patience));
    ofServer.set(server, call);
    calls.set(alias, call);
  }
  // A slow model holds back only those after it.
  for (const call of calls.values()) tell(await call);
  for (const { provider, model, warnings } of ignored) {
    tell({
      state: 'note',
      what: `settings of ${model}`,
      found: `${provider} ignores some of them (${warnings.join('; ')})`,
    });
  }
}

/** A model that does not answer is missing. One that answers may lack capabilities: not every agent needs them. */
async function callModel(alias: string, config: ModelConfig, patience: number): Promise<Finding> {
  const what = `call of ${alias}`;
  const started = performance.now();
  try {
    const tryModel = trialsOf(config, patience);
    const parts = [{ type: 'text' as const, text: 'Reply with these words: one two three four five' }];
    const first = await tryModel({ parts, maxTokens: SHORT });
    const { usage, model } = first.answer;
    const time = Math.round(performance.now() - started);
    const found = `${model} answered in ${time} ms, ${usageText(usage)}`;
    return { state: 'ok', what, found, capabilities: await capabilitiesOf(tryModel, first) };
  } catch (error) {
    if (!(error instanceof ModelCallStopped)) return { state: 'missing', what, ...callFailure(error, alias, config) };
    const found = `no answer of \`${config.model}\` from ${serverOf({ config })} within ${patience / 1000} s`;
    return { state: 'missing', what, found, todo: 'a local server may still be loading it: try again, or see its log' };
  }
}

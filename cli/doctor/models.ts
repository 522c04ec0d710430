import { adapterFor } from '../../activities/model/adapters/adapter-for';
import { type Ignored, tellWarningsTo } from '../../activities/model/adapters/warnings';
import { ModelCallStopped } from '../../activities/model/answer/stream-answer';
import type { ModelConfig } from '../../agent/model/config';
import { usageText } from '../lines/spent-text';
import { callFailure } from './call-failure';
import { capabilitiesOf, SHORT } from './capabilities';
import type { Finding, Tell } from './checks';
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
  const findings = new Map<string, Finding>();
  const ignored: Ignored[] = [];
  tellWarningsTo((one) => ignored.push(one));
  const servers = new Set(Object.values(models).map((config) => adapterFor(config).provider));
  await Promise.all(
    [...servers].map(async (server) => {
      for (const [alias, config] of Object.entries(models)) {
        if (adapterFor(config).provider === server) findings.set(alias, await callModel(alias, config, patience));
      }
    }),
  );
  for (const alias of Object.keys(models)) tell(findings.get(alias) as Finding);
  for (const { provider, model, warnings } of ignored) {
    tell({
      state: 'note',
      what: `call of \`${model}\``,
      found: `${provider} does not take all of it: ${warnings.join('; ')}`,
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
    const found = `no answer of \`${config.model}\` at ${adapterFor(config).provider} within ${patience / 1000} s`;
    return { state: 'missing', what, found, todo: 'a local server may still be loading it: try again, or see its log' };
  }
}

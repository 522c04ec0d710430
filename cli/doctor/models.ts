import { adapterFor } from '../../activities/model/adapters/adapter-for';
import { ModelCallStopped, streamAnswer } from '../../activities/model/answer/stream-answer';
import { messageOf } from '../../agent/errors/error';
import type { ModelConfig } from '../../agent/model/config';
import { usageText } from '../lines/fact-line';
import type { Finding, Tell } from './checks';

/** Milliseconds that a model may take to answer with two letters. */
const PATIENCE = 20_000;
/** Maximum tokens of the answer: the lowest limit that every server accepts. */
const MAX_TOKENS = 16;

/**
 * Calls each model once with a tiny prompt. All servers are called at once, but the models of one server one after the
 * other, since a local server may have to load each.
 */
export async function callModels(
  tell: Tell,
  models: Readonly<Record<string, ModelConfig>>,
  patience = PATIENCE,
): Promise<void> {
  const findings = new Map<string, Finding>();
  const servers = new Set(Object.values(models).map((config) => adapterFor(config).provider));
  await Promise.all(
    [...servers].map(async (server) => {
      for (const [alias, config] of Object.entries(models)) {
        if (adapterFor(config).provider === server) findings.set(alias, await callModel(alias, config, patience));
      }
    }),
  );
  for (const alias of Object.keys(models)) tell(findings.get(alias) as Finding);
}

async function callModel(alias: string, config: ModelConfig, patience: number): Promise<Finding> {
  const what = `call of ${alias}`;
  const started = performance.now();
  try {
    const { usage, model } = await streamAnswer({
      config: { ...config, maxTokens: MAX_TOKENS, idleTimeout: 2 * patience },
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Reply with OK' }], turn: 0 }],
      tools: [],
      call: 1,
      signal: AbortSignal.timeout(patience),
      onDelta: () => undefined,
    });
    const time = Math.round(performance.now() - started);
    return { state: 'ok', what, found: `${model} answered in ${time} ms, ${usageText(usage)}` };
  } catch (error) {
    if (!(error instanceof ModelCallStopped)) return { state: 'missing', what, found: messageOf(error) };
    const found = `no answer of \`${config.model}\` at ${adapterFor(config).provider} within ${patience / 1000} s`;
    return { state: 'missing', what, found, todo: 'a local server may still be loading it: try again, or see its log' };
  }
}

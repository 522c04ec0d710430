import type { ModelAnswer } from '../../../agent/model/answer';
import type { ModelConfig } from '../../../agent/model/config';
import type { OutputDowngrade, StructuredOutput } from '../../../agent/model/structured-output';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { TermsRefused } from './refusals';
import { easierTerms, firstTerms, type Terms } from './terms';

export interface AskOnTermsArgs {
  config: ModelConfig;
  /** JSON Schema of the agent's output. */
  output?: JsonSchema | undefined;
  /** How the server had to be asked for JSON earlier in the run. */
  structuredOutput?: StructuredOutput | undefined;
  /** What an earlier attempt at the call was refused, and had to ask for instead. */
  downgraded?: OutputDowngrade | undefined;
  /** Told of each downgrade; of `undefined` if the server accepted no way: the next call begins with the best again. */
  onDowngrade?(downgraded: OutputDowngrade | undefined): void;
}

/**
 * Asks a model, and again at once in a way that asks less of its server where that refuses an output format or schemas.
 * @param ask makes one request, the nth of the call
 * @throws what `ask` throws, a TermsRefused only as its failure
 */
export async function askOnTerms<Answer extends ModelAnswer>(
  { config, output, structuredOutput, downgraded: before, onDowngrade }: AskOnTermsArgs,
  ask: (terms: Terms, request: number) => Promise<Answer>,
): Promise<Answer & { downgraded?: OutputDowngrade }> {
  let downgraded = before;
  let terms = firstTerms(config, output, downgraded?.to ?? structuredOutput);
  for (let request = 1; ; request++) {
    try {
      return { ...(await ask(terms, request)), ...defined({ downgraded }) };
    } catch (error) {
      if (!(error instanceof TermsRefused)) throw error;
      const { refusal, failure } = error;
      const easier = easierTerms(refusal, terms, { config, output });
      if (easier === undefined) {
        if (refusal.output) onDowngrade?.(undefined);
        throw failure;
      }
      const { structuredOutput: to } = easier;
      if (to !== terms.structuredOutput) {
        downgraded = { from: downgraded?.from ?? terms.structuredOutput, to, why: refusal.why };
        onDowngrade?.(downgraded);
      }
      terms = easier;
    }
  }
}

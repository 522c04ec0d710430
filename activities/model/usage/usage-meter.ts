import type { ModelRequest } from '../../../agent/model/adapter';
import { NO_USAGE, type Usage } from '../../../agent/model/cost/usage';
import type { AnswerDraft } from '../answer/draft';
import { estimatedCompletion, estimatedPrompt } from './estimate';
import { plausibleUsage } from './reported';
import type { Warn } from './warnings';

interface Measured {
  request: ModelRequest;
  draft: AnswerDraft;
  /** Tokens of the request as the worker counted them. Missing: they are estimated by the characters. */
  counted?: number | undefined;
  warn?: Warn | undefined;
  /** An answer that may be left before the model ends it. Missing: it is read to its end. */
  left?: { readonly isStopped: boolean; readonly unshown: number } | undefined;
}

/** Tokens of one call, at any time: as the provider reported them, or as they were counted. */
export class UsageMeter {
  #prompt: number | undefined;
  #media: number | undefined;

  constructor(private readonly call: Measured) {
    this.#prompt = call.counted;
  }

  /** What the provider reported; `undefined` if that is nothing, or not plausible. */
  get reported(): Usage | undefined {
    const { request, draft, warn } = this.call;
    if (draft.usage === undefined) return undefined;
    const plausible = plausibleUsage(draft.usage, {
      prompt: () => this.#countPrompt(),
      media: () => this.#countMedia(),
      completion: this.#completion,
      reasons: request.settings.reasoningEffort !== undefined || draft.parts.some(({ type }) => type === 'reasoning'),
    });
    if (plausible !== undefined) return plausible;
    const { prompt, completion } = this.#counted;
    warn?.(
      'usage',
      `the reported usage of ${draft.usage.prompt} + ${draft.usage.completion} tokens is not plausible; ` +
        `the count of ${prompt} + ${completion} tokens is used instead`,
    );
    return undefined;
  }

  /** All that the call used so far, also if nothing has arrived. */
  get usage(): Usage {
    const { draft } = this.call;
    const { reported } = this;
    if (reported === undefined) return this.#counted;
    // Some providers report the prompt first, and the answer with its end.
    const isStopped = this.call.left?.isStopped === true;
    const completion = draft.finish === undefined || isStopped ? this.#completion : 0;
    if (isStopped) return { ...reported, completion: Math.max(completion, reported.completion), estimated: true };
    return completion > reported.completion ? { ...reported, completion, estimated: true } : reported;
  }

  /** The same, for a call that failed: one that was refused, or never arrived, costs nothing. */
  get usageIfAny(): Usage {
    return this.call.draft.arrivals > 0 ? this.usage : NO_USAGE;
  }

  get #counted(): Usage {
    return { prompt: this.#countPrompt(), completion: this.#completion, estimated: true };
  }

  get #completion(): number {
    return estimatedCompletion(this.call.draft, this.call.left?.unshown);
  }

  #countPrompt(): number {
    this.#prompt ??= estimatedPrompt(this.call.request);
    return this.#prompt;
  }

  #countMedia(): number {
    this.#media ??= this.call.request.messages.reduce(
      (sum, { content }) => sum + content.filter(({ type }) => type === 'media').length,
      0,
    );
    return this.#media;
  }
}

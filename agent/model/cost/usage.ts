/** Tokens of one or more model calls. */
export interface Usage {
  /** Tokens sent. */
  prompt: number;
  /** Tokens of the answer. */
  completion: number;
  /** Part of `prompt` that the provider read from its cache. */
  cached?: number;
  /** Part of `prompt` that the provider wrote to its cache, and may charge more for. */
  cacheWritten?: number;
  /** Part of `completion` that went into reasoning. */
  reasoning?: number;
  /** Some of it is an estimate of the worker: the provider reported no usage, or none that is plausible. */
  estimated?: true;
}

export const NO_USAGE: Usage = { prompt: 0, completion: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = { prompt: a.prompt + b.prompt, completion: a.completion + b.completion };
  const cached = (a.cached ?? 0) + (b.cached ?? 0);
  const cacheWritten = (a.cacheWritten ?? 0) + (b.cacheWritten ?? 0);
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  if (cached > 0) sum.cached = cached;
  if (cacheWritten > 0) sum.cacheWritten = cacheWritten;
  if (reasoning > 0) sum.reasoning = reasoning;
  if (a.estimated || b.estimated) sum.estimated = true;
  return sum;
}

/** Whether no tokens were used. */
export function isNoUsage({ prompt, completion }: Usage): boolean {
  return prompt === 0 && completion === 0;
}

/** When a model that makes no progress is stopped. */
export interface BreakerSettings {
  /**
   * Failures in a row of the same call, with the same arguments, after which the model is told. If it makes the call once
   * more, the call does not run, and the model has to conclude. From 2 to 24, default 5.
   */
  identicalFailures?: number;
  /**
   * `skip`: a call that was just made does not run again, and after two such answers in a row the model has to conclude.
   * For a `read` tool, that is a call since the last one that may have changed something. Default `skip` for small
   * models, else `run`.
   */
  repeatedCalls?: 'skip' | 'run';
  /**
   * Failures in a row of one tool after which it is withdrawn for the rest of the exchange, or `false`. Default 3 for
   * small models, else `false`.
   */
  toolFailures?: number | false;
  /**
   * Answers in a row with only failed calls after which the model is told the names of its tools, or `false`. Default 2
   * for small models, else `false`.
   */
  failedRounds?: number | false;
  /**
   * `nudge`: after an empty answer the model is asked once more, and after two in a row it has to conclude. If that is
   * empty too, a fixed text is the answer. `reject`: an empty answer is an invalid output. Default `nudge` for small
   * models, else `reject`.
   */
  emptyAnswers?: 'nudge' | 'reject';
}

/** The same as a run pins it. Missing: never. */
export interface BreakerSpec {
  identicalFailures: number;
  repeatedCalls: 'skip' | 'run';
  toolFailures?: number;
  failedRounds?: number;
  emptyAnswers: 'nudge' | 'reject';
}

/** Below it a model may only be retrying what failed by chance; far above it every further call is wasted. */
const IDENTICAL_FAILURES = 5;

/** The numbers of the local agent for small models, see docs/guides/small-models.md. */
const SMALL: BreakerSpec = {
  identicalFailures: IDENTICAL_FAILURES,
  repeatedCalls: 'skip',
  toolFailures: 3,
  failedRounds: 2,
  emptyAnswers: 'nudge',
};

const OTHERS: BreakerSpec = {
  identicalFailures: IDENTICAL_FAILURES,
  repeatedCalls: 'run',
  emptyAnswers: 'reject',
};

export function breakerSpec(settings: BreakerSettings = {}, modelClass: 'small' | undefined): BreakerSpec {
  const { toolFailures, failedRounds, ...base } = modelClass === 'small' ? SMALL : OTHERS;
  const { identicalFailures, repeatedCalls, emptyAnswers } = settings;
  return {
    identicalFailures: identicalFailures ?? base.identicalFailures,
    repeatedCalls: repeatedCalls ?? base.repeatedCalls,
    ...numberOf('toolFailures', settings.toolFailures ?? toolFailures),
    ...numberOf('failedRounds', settings.failedRounds ?? failedRounds),
    emptyAnswers: emptyAnswers ?? base.emptyAnswers,
  };
}

function numberOf<Name extends string>(name: Name, given: number | false | undefined): { [N in Name]?: number } {
  return given === undefined || given === false ? {} : ({ [name]: given } as { [N in Name]: number });
}

/**
 * What the response analysis looks for. A phrase is compared without regard to case, in whole words. ` * ` in it stands
 * for up to 60 characters of the same sentence.
 */
export interface AnalysisTables {
  /** Signs that the work is not finished. */
  incomplete: readonly string[];
  /** Phrases of a finished answer. One of them outweighs all signs and deflections. */
  complete: readonly string[];
  /**
   * Words that take the meaning from a phrase of `complete` or `claims`, up to two words before it or in its gap: `until the
   * task is complete`.
   */
  negations: readonly string[];
  /** Words that do so only in a gap: `all but two have been`. */
  exceptions: readonly string[];
  /** Phrases that present results. They outweigh signs and deflections as well. */
  presenting: readonly string[];
  /** Answers that avoid the work, by what they do instead. */
  deflecting: { readonly [Family in Deflection]: readonly string[] };
  /** Characters of an answer that is a deflection if it ends with a question mark. 0: none is. */
  shortQuestion: number;
  /** Claims that something was changed. */
  claims: readonly string[];
}

/** What an answer does instead of the work: it refuses, asks the user, hands the work back, or tells what it sees. */
export type Deflection = 'refuses' | 'asks' | 'handsBack' | 'narrates';

/** What models claim to have done. */
const CHANGES = [
  ...['renamed', 'moved', 'copied', 'deleted', 'removed', 'created', 'updated', 'changed'],
  ...['saved', 'written', 'sent', 'booked', 'cancelled'],
];

/** The tables for English. */
export const ENGLISH_TABLES: AnalysisTables = {
  incomplete: [
    'remaining',
    'still need to',
    'still needs to',
    'still have to',
    'next file',
    'next step',
    'let me continue',
    "i'll continue",
    'i will continue',
    'continuing with',
    'moving on to',
    'let me proceed',
    'left to process',
    'not finished yet',
    'not yet done',
    'to be continued',
  ],
  complete: [
    'all files have been',
    'all * have been',
    'have all been',
    'all done',
    'all set',
    'task complete',
    'task is complete',
    'task completed',
    'task is done',
    'is now complete',
    'everything is done',
    'everything has been',
    'completed successfully',
    'successfully completed',
    'completed all',
    'finished all',
    'nothing remaining',
    'nothing left',
    'none remaining',
    'no * remaining',
    'no further action',
  ],
  negations: ['not', "haven't", "isn't", 'until', 'once', 'when', 'after', 'before', 'if'],
  exceptions: ['but', 'except'],
  presenting: [
    'here are the results',
    'here is the result',
    "here's the result",
    'here is the summary',
    'here is a summary',
    "here's the summary",
    "here's a summary",
    'in summary',
    'to summarize',
    'summary:',
    'results:',
    'the results are',
    'the result is',
    'the answer is',
  ],
  deflecting: {
    refuses: [
      "i can't do that",
      'i cannot do that',
      "i don't have access to",
      'i do not have access to',
      "i'm unable to",
      'i am not able to',
    ],
    asks: ['would you like me to', 'do you want me to', 'which files', 'should i', 'please provide'],
    handsBack: ['let me know', 'i can help you', 'feel free to', 'you can use', 'you will need to'],
    narrates: ['i can see', 'here are the files', 'the directory contains', 'it looks like', 'there are several'],
  },
  shortQuestion: 200,
  claims: CHANGES.flatMap((change) => [`i have ${change}`, `i've ${change}`, `i successfully ${change}`]),
};

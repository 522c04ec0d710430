import { ENGLISH_TABLES } from '../../../agent/analysis/tables';

/** A phrase, an answer that it is found in, and one that is close but must not be found by it. */
export type Case = readonly [phrase: string, found: string, notFound: string];

export const INCOMPLETE: readonly Case[] = [
  ['remaining', "I've renamed 3 files. There are 4 remaining.", 'The remainder of the division is 4.'],
  ['still need to', 'I still need to rename four files.', 'The files are still needed.'],
  ['still needs to', 'The last file still needs to be renamed.', 'It is still a need.'],
  ['still have to', 'I still have to read two of them.', 'They still have two owners.'],
  ['next file', 'The next file is report.pdf.', 'The next files are listed in the index.'],
  ['next step', 'The next step is to read it.', 'The next steps were taken last week.'],
  ['let me continue', 'Let me continue with number four.', 'They let me, continuously.'],
  ["i'll continue", 'I’ll continue with the others.', 'The road will continue north.'],
  ['i will continue', 'Now I will continue renaming.', 'Hawaii will continue to grow.'],
  ['continuing with', 'Continuing with the fourth one…', 'Discontinuing with notice is possible.'],
  ['moving on to', 'Moving on to the invoices.', 'Removing on top is allowed.'],
  ['let me proceed', 'Let me proceed to the second folder.', 'The court let me, proceedings aside.'],
  ['left to process', 'There are two left to process.', 'He left to processes of others.'],
  ['not finished yet', 'I have not finished yet.', 'It was finished yesterday.'],
  ['not yet done', 'The upload is not yet done.', 'It is done.'],
  ['to be continued', 'To be continued.', 'The story continued.'],
];

export const COMPLETE: readonly Case[] = [
  ['all files have been', 'All files have been renamed.', 'Not all files have been renamed.'],
  ['all * have been', 'All seven screenshots have been renamed.', 'All but two have been renamed.'],
  ['have all been', 'They have all been moved.', 'They have also been moved.'],
  ['all done', 'All done!', 'It was recalled, done by hand.'],
  ['all set', 'You are all set.', 'This is a small set.'],
  ['task complete', 'Task complete.', 'The task completes later.'],
  ['task is complete', 'The task is complete.', 'Until the task is complete, I wait. A task is completely new.'],
  ['task completed', 'Task completed: 7 files.', 'The task completes.'],
  ['task is done', 'The task is done.', 'When the task is donepending, wait.'],
  ['is now complete', 'The report is now complete.', 'The report is not complete.'],
  ['everything is done', 'Everything is done.', 'Once everything is done, I will say so.'],
  ['everything has been', 'Everything has been copied.', 'Everything has begun.'],
  ['completed successfully', 'The move completed successfully.', 'It completed, unsuccessfully.'],
  ['successfully completed', 'I successfully completed it.', 'It was unsuccessfully completed.'],
  ['completed all', 'I completed all steps.', 'I completed allocations.'],
  ['finished all', 'I finished all of them.', 'I finished alleys.'],
  ['nothing remaining', 'There is nothing remaining.', 'There is one remaining.'],
  ['nothing left', 'There is nothing left to do.', 'Nothing leftover was seen.'],
  ['none remaining', 'None remaining.', 'There is one remaining.'],
  ['no * remaining', 'There are no files remaining.', 'There is no hurry. Four are remaining.'],
  ['no further action', 'No further action is needed.', 'Further action is needed.'],
];

export const PRESENTING: readonly Case[] = [
  ['here are the results', 'Here are the results: 4 and 5.', 'Where are the results?'],
  ['here is the result', 'Here is the result: 4.', 'There is the resulting file.'],
  ["here's the result", 'Here’s the result.', 'There is a result.'],
  ['here is the summary', 'Here is the summary of the mails.', 'Here is the summarised text.'],
  ['here is a summary', 'Here is a summary:', 'There is a summary sheet.'],
  ["here's the summary", "Here's the summary.", 'The summary is missing.'],
  ["here's a summary", "Here's a summary.", 'A summary is missing.'],
  ['in summary', 'In summary, it rained.', 'It is in summarybook.txt.'],
  ['to summarize', 'To summarize: it rained.', 'I was asked to summarise it.'],
  ['summary:', 'Summary: three mails.', 'The summary is short.'],
  ['results:', 'Results: 4, 5.', 'The results are pending.'],
  ['the results are', 'The results are 4 and 5.', 'The results arrived.'],
  ['the result is', 'The result is 4.', 'The result isolates it.'],
  ['the answer is', 'The answer is 42.', 'The answer isolates it.'],
];

export const DEFLECTING: { readonly [Family in keyof typeof ENGLISH_TABLES.deflecting]: readonly Case[] } = {
  refuses: [
    ["i can't do that", 'I can’t do that.', "You can't do that."],
    ['i cannot do that', 'Sorry, I cannot do that.', 'Hawaii cannot do that.'],
    ["i don't have access to", "I don't have access to your desktop.", "They don't have access to it."],
    ['i do not have access to', 'I do not have access to files.', 'I do have access to files.'],
    ["i'm unable to", "I'm unable to open it.", 'They are unable to open it.'],
    ['i am not able to', 'I am not able to rename files.', 'I am able to rename files.'],
  ],
  asks: [
    ['would you like me to', 'Would you like me to rename them?', 'You would like the red one.'],
    ['do you want me to', 'Do you want me to start?', 'They do want men to start.'],
    ['which files', 'Which files shall be renamed?', 'The list of witch files is long.'],
    ['should i', 'Should I rename them?', 'It should invite everyone.'],
    ['please provide', 'Please provide the path.', 'It pleases providers.'],
  ],
  handsBack: [
    ['let me know', 'Let me know what to do.', 'They let me knock.'],
    ['i can help you', 'I can help you with renaming.', 'Wifi can help you.'],
    ['feel free to', 'Feel free to rename them.', 'They feel freedom.'],
    ['you can use', 'You can use mv for that.', 'You can useful things.'],
    ['you will need to', 'You will need to rename them by hand.', 'You will need two of them.'],
  ],
  narrates: [
    ['i can see', 'I can see seven screenshots.', 'Hawaii can see it. I can seek it.'],
    ['here are the files', 'Here are the files:', 'Where are the files?'],
    ['the directory contains', 'The directory contains 7 files.', 'The directory contained 7 files.'],
    ['it looks like', 'It looks like a folder of screenshots.', 'He found it. Looks likely.'],
    ['there are several', 'There are several screenshots.', 'There are seven screenshots.'],
  ],
};

export const CLAIMS: readonly Case[] = ENGLISH_TABLES.claims.map((claim) => [
  claim,
  `Good news: ${claim} it.`,
  `They ${claim.replace(/^(i have|i've|i) /, 'have ')} it.`,
]);

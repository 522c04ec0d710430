// Finds the words that this project does not use in code, documentation and prompts, and says what to write instead.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** @type {[pattern: string, instead: string][]} */
const WORDS = [
  ['whoever', 'name the actor: "the caller", "the client", "the user"'],
  ['somebody', 'name the actor: "a user", "another client"'],
  ['nobody', '"no one", or say what is missing: "without a decision", "unused"'],
  ['anew', '"again", "a new …"'],
  ['afresh', '"again", "from the start"'],
  ['under way', '"in progress", "running", "in flight"'],
  ['in the midst', '"while", "during", "in the middle"'],
  ['stands? in(?! for)', '"is in"'],
  ['persons', '"people", "users"'],
  ["of one's own", '"custom", "separate"'],
  ['(?<!there |which )(is|are) no (?!longer|more|one|matter|other|wonder|better|worse|different)', '"is not a …"'],
  ['any more(?! than)', '"no longer"'],
  ['for ever', '"forever", "without limit"'],
  ['in vain', '"without success"'],
  ['all the same', '"anyway", "still"'],
];

const FILES = ['*.ts', '*.mjs', '*.js', '*.md', '*.json', '*.yaml', '*.grit'];
// Recorded histories keep the words they were recorded with.
const EXCEPT = [':!package-lock.json', ':!test/replay/fixtures', ':!lint/check-words.mjs'];

const problems = execFileSync('git', ['ls-files', '--', ...FILES, ...EXCEPT], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '')
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        WORDS.flatMap(([pattern, instead]) => {
          const found = new RegExp(`\\b${pattern}\\b`, 'i').exec(line);
          return found === null ? [] : [`${path}:${i + 1}: "${found[0]}": write ${instead}\n    ${line.trim()}`];
        }),
      ),
  );

for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`\n${problems.length} ${problems.length === 1 ? 'place uses a word' : 'places use words'} to replace.`);
  process.exitCode = 1;
}

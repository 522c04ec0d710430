import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { shellWord } from '../../agent/values/shell-word';
import { packageFolder } from '../../runtime/own-package';
import { say, warn } from '../../runtime/print';
import { EXIT } from '../exit-code';
import { dependencyOn } from './dependency';
import { problemOf } from './problem-of';
import { readTemplate, writeProject } from './write-project';

/** `holdfast init`: writes a project that runs, from the package's template. */
export async function init(given: string, own: string = packageFolder()): Promise<number> {
  const folder = resolve(given);
  const template = await readTemplate(join(own, 'template'));
  const problem = await problemOf(folder, template.dependencies);
  if (problem !== undefined) {
    warn(problem);
    return EXIT.usage;
  }
  const scratch = await mkdtemp(join(tmpdir(), 'holdfast-init-'));
  try {
    const holdfast = await dependencyOn(own, scratch);
    if (holdfast.from === 'nowhere') {
      warn(...`\`npm pack\` of the installed package failed: ${holdfast.problem}`.split('\n'));
      return EXIT.failed;
    }
    const files = await writeProject(folder, template, holdfast);
    const here = relative(process.cwd(), folder);
    const into = here.startsWith('..') ? folder : here;
    say(`Wrote ${files.length} files to ${folder}:`, ...files.map((file) => `  ${file}`), '', 'Next:');
    if (into !== '') say(`  cd ${shellWord(into)}`);
    say(
      '  npm install',
      '  npm start     runs the agent once, with a scripted model: you need no key',
      '  npm test      tests the agent',
      '',
      'README.md says how to use a real model.',
    );
    return EXIT.done;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkAgainstSchema } from '../../../activities/schemas/check';
import * as answers from '../../../agent/prompts/answers';
import * as breakers from '../../../agent/prompts/breakers';
import * as budget from '../../../agent/prompts/budget';
import * as failedCalls from '../../../agent/prompts/calls/failed-calls';
import * as mcpCalls from '../../../agent/prompts/calls/mcp-calls';
import * as refusedCalls from '../../../agent/prompts/calls/refused-calls';
import * as results from '../../../agent/prompts/calls/results';
import * as services from '../../../agent/prompts/calls/services';
import * as textCalls from '../../../agent/prompts/calls/text-calls';
import * as undo from '../../../agent/prompts/calls/undo';
import * as compaction from '../../../agent/prompts/compaction';
import * as nudges from '../../../agent/prompts/nudges';
import * as output from '../../../agent/prompts/output';
import * as plans from '../../../agent/prompts/plans';
import * as questions from '../../../agent/prompts/questions';
import * as sections from '../../../agent/prompts/sections';
import * as builtInTools from '../../../agent/prompts/tools/built-in-tools';
import * as files from '../../../agent/prompts/tools/files';
import * as searchTools from '../../../agent/prompts/tools/search-tools';
import * as skills from '../../../agent/prompts/tools/skills';
import * as samples from './samples';

/** Each file of prompts, with samples for all of its texts. */
const PROMPTS: readonly [file: string, prompts: object, samples: object][] = [
  ['answers', answers, samples.ANSWERS],
  ['breakers', breakers, samples.BREAKERS],
  ['budget', budget, samples.BUDGET],
  ['built-in-tools', builtInTools, samples.BUILT_IN_TOOLS],
  ['compaction', compaction, samples.COMPACTION],
  ['failed-calls', failedCalls, samples.FAILED_CALLS],
  ['files', files, samples.FILES],
  ['mcp-calls', mcpCalls, samples.MCP_CALLS],
  ['nudges', nudges, samples.NUDGES],
  ['output', output, samples.OUTPUT],
  ['plans', plans, samples.PLANS],
  ['questions', questions, samples.QUESTIONS],
  ['refused-calls', refusedCalls, samples.REFUSED_CALLS],
  ['results', results, samples.RESULTS],
  ['search-tools', searchTools, samples.SEARCH_TOOLS],
  ['sections', sections, samples.SECTIONS],
  ['services', services, samples.SERVICES],
  ['skills', skills, samples.SKILLS],
  ['text-calls', textCalls, samples.TEXT_CALLS],
  ['undo', undo, samples.UNDO],
];

// A change of what models read shows as a change of the snapshot, which a reviewer reads.
test.each(PROMPTS)('the texts of %s that a model reads', (_file, prompts, shown) => {
  expect(textsOf(prompts, shown).join('\n')).toMatchSnapshot();
});

test('no file of prompts is left out', () => {
  const all = readdirSync(join(__dirname, '../../../agent/prompts'), { recursive: true, encoding: 'utf8' });
  const names = all.filter((file) => file.endsWith('.ts')).map((file) => basename(file, '.ts'));
  expect(PROMPTS.map(([file]) => file)).toStrictEqual(names.sort());
});

test('what a model reads about each kind of value that does not fit a schema', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1 },
      days: { type: 'integer', minimum: 1 },
      unit: { enum: ['c', 'f'] },
      version: { const: 2 },
    },
    required: ['city'],
    additionalProperties: false,
  };
  const given = [{}, { city: '' }, { city: 'Oslo', days: 'two' }, { city: 'Oslo', days: 0, unit: 'k' }];
  const wrong = [...given, { city: 'Oslo', version: 1, town: 'Oslo' }, 'Oslo'];
  const problems = wrong.map((value) => {
    const check = checkAgainstSchema(schema, value);
    return `${JSON.stringify(value)} → ${check.ok ? 'fits' : check.problem}`;
  });
  expect(problems.join('\n')).toMatchSnapshot();
});

function textsOf(prompts: object, shown: object): string[] {
  expect(Object.keys(shown).sort()).toStrictEqual(Object.keys(prompts).sort());
  return Object.entries(shown).flatMap(([name, sample]) => {
    const prompt: unknown = prompts[name as keyof typeof prompts];
    if (typeof prompt === 'function') return sample.map((args: unknown[]) => `${name}: ${prompt(...args)}`);
    if (typeof prompt === 'string') return `${name}: ${prompt}`;
    return textsOf(prompt as object, sample).map((text) => `${name}.${text}`);
  });
}

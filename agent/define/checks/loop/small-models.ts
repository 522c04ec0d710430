import { ENGLISH_TABLES } from '../../../analysis/tables';
import type { AgentDefinition } from '../../agent-definition';
import { checkFields, checkRecord, fail, isRecord, isText } from '../fail';
import { hasTool } from '../has-tool';

const BREAKERS = ['identicalFailures', 'repeatedCalls', 'toolFailures', 'failedRounds', 'emptyAnswers'];
/** A run pins the tables, and each answer is compared with all of them. */
const MOST_PHRASES = 200;
const LONGEST_PHRASE = 100;

/** Checks how answers are analysed, and when a model that makes no progress is stopped. */
export function checkSmallModels(definition: AgentDefinition, place: string): void {
  const { breakers, responseAnalysis, repairNames } = definition;
  if (breakers !== undefined) checkBreakers(breakers, `${place}.breakers`);
  if (responseAnalysis !== undefined) checkAnalysis(responseAnalysis, `${place}.responseAnalysis`);
  if (repairNames !== undefined) checkRepair(definition, repairNames, `${place}.repairNames`);
}

function checkBreakers(given: NonNullable<AgentDefinition['breakers']>, place: string): void {
  checkRecord(given, place);
  checkFields(given, BREAKERS, place);
  const { identicalFailures, repeatedCalls, toolFailures, failedRounds, emptyAnswers } = given;
  checkCount(identicalFailures, [2, 24], `${place}.identicalFailures`);
  for (const [name, value] of Object.entries({ toolFailures, failedRounds })) {
    if (value !== false) checkCount(value, [1, 100], `${place}.${name}`, ', or `false`');
  }
  checkChoice(repeatedCalls, ['skip', 'run'], `${place}.repeatedCalls`);
  checkChoice(emptyAnswers, ['nudge', 'reject'], `${place}.emptyAnswers`);
}

function checkCount(value: unknown, [least, most]: readonly [number, number], place: string, or = ''): void {
  if (value === undefined) return;
  if (!(Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)) {
    fail(place, `Expected a whole number from ${least} to ${most}${or}, got \`${String(value)}\``);
  }
}

function checkChoice(value: unknown, choices: readonly string[], place: string): void {
  if (value === undefined || choices.includes(value as string)) return;
  fail(place, `Expected ${choices.map((choice) => `\`${choice}\``).join(' or ')}, got \`${String(value)}\``);
}

function checkAnalysis(given: NonNullable<AgentDefinition['responseAnalysis']>, place: string): void {
  if (typeof given === 'boolean') return;
  if (!isRecord(given)) fail(place, 'Expected `true`, `false` or an object');
  checkFields(given, ['tables', 'claims'], place);
  const { tables, claims } = given;
  if (claims !== undefined && typeof claims !== 'boolean') fail(`${place}.claims`, 'Expected `true` or `false`');
  if (tables === undefined) return;
  checkRecord(tables, `${place}.tables`);
  checkFields(tables, Object.keys(ENGLISH_TABLES), `${place}.tables`);
  const { shortQuestion, deflecting, ...lists } = tables;
  checkCount(shortQuestion, [0, 10_000], `${place}.tables.shortQuestion`);
  for (const [name, list] of Object.entries(lists)) checkPhrases(list, `${place}.tables.${name}`);
  if (deflecting === undefined) return;
  checkRecord(deflecting, `${place}.tables.deflecting`);
  const families = Object.keys(ENGLISH_TABLES.deflecting);
  checkFields(deflecting, families, `${place}.tables.deflecting`);
  const byName = new Map<string, unknown>(Object.entries(deflecting));
  for (const family of families) checkPhrases(byName.get(family), `${place}.tables.deflecting.${family}`);
}

function checkPhrases(list: unknown, place: string): void {
  const isList = Array.isArray(list) && list.length <= MOST_PHRASES;
  if (!isList) fail(place, `Expected a list of at most ${MOST_PHRASES} phrases`);
  list.forEach((phrase: unknown, i: number) => {
    if (!isText(phrase) || phrase.length > LONGEST_PHRASE) {
      fail(`${place}[${i}]`, `Expected a phrase of 1 to ${LONGEST_PHRASE} characters`);
    }
    if (phrase.split(' * ').some((part) => part.trim() === '' || part.trim() === '*')) {
      fail(`${place}[${i}]`, 'Expected words on both sides of each ` * `');
    }
  });
}

function checkRepair(
  definition: AgentDefinition,
  given: NonNullable<AgentDefinition['repairNames']>,
  place: string,
): void {
  if (typeof given === 'boolean') return;
  if (!isRecord(given)) fail(place, 'Expected `true`, `false` or an object');
  checkFields(given, ['aliases'], place);
  checkRecord(given.aliases, `${place}.aliases`);
  for (const [alias, tool] of Object.entries(given.aliases ?? {})) {
    if (!isText(tool)) fail(`${place}.aliases.${alias}`, 'Expected the name of a tool');
    if (!hasTool(definition, tool)) fail(`${place}.aliases.${alias}`, `The agent has no tool \`${tool}\``);
  }
}

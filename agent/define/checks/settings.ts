import type { ModelSettings } from '../../model/settings';
import { SETTINGS } from '../../model/settings';
import { isPlainJsonObject } from '../../values/is-json';
import type { AgentDefinition } from '../agent-definition';
import { checkFields, checkRecord, fail, isRecord, isText } from './fail';
import { hasTool } from './has-tool';
import { isHeaderName, isHeaderValue, UNSENDABLE } from './headers';

type Check = readonly [what: string, fits: (value: unknown) => boolean];

const TEXT: Check = ['a non-empty string', isText];
const JSON_OBJECT: Check = ['JSON values by their names', isPlainJsonObject];
const CHECKS: { readonly [Name in Exclude<keyof ModelSettings, 'extraHeaders'>]-?: Check } = {
  temperature: ['a number of at least 0', (value) => isNumber(value) && value >= 0],
  topP: ['a number over 0, at most 1', (value) => isNumber(value) && value > 0 && value <= 1],
  maxTokens: ['a whole number above 0', (value) => Number.isSafeInteger(value) && Number(value) > 0],
  stop: ['a list of non-empty strings', (value) => Array.isArray(value) && value.length > 0 && value.every(isFilled)],
  seed: ['a whole number', Number.isSafeInteger],
  reasoningEffort: TEXT,
  parallelToolCalls: ['`true` or `false`', (value) => typeof value === 'boolean'],
  toolChoice: ["`auto`, `none`, `required` or `{ tool: '…' }`", isToolChoice],
  serviceTier: TEXT,
  extraBody: JSON_OBJECT,
  providerOptions: [
    'JSON values by their names, for each provider',
    (value) => isPlainJsonObject(value) && Object.values(value).every(isRecord),
  ],
};

/** Checks how the models of an agent are to answer. */
export function checkSettings(definition: AgentDefinition, place: string): void {
  const { modelSettings, parallelToolCalls } = definition;
  if (modelSettings === undefined) return;
  const at = `${place}.modelSettings`;
  checkRecord(modelSettings, at);
  checkFields(modelSettings, SETTINGS, at);
  const given: { readonly [name: string]: unknown } = { ...modelSettings };
  for (const [name, [what, fits]] of Object.entries(CHECKS)) {
    const value = given[name];
    if (value !== undefined && !fits(value)) fail(`${at}.${name}`, `Expected ${what}${got(value)}`);
  }
  checkExtraHeaders(modelSettings.extraHeaders, `${at}.extraHeaders`);
  checkToolChoice(definition, `${at}.toolChoice`);
  if (parallelToolCalls !== undefined && (modelSettings.parallelToolCalls ?? parallelToolCalls) !== parallelToolCalls)
    fail(`${at}.parallelToolCalls`, 'The `parallelToolCalls` of the agent says the opposite; keep one of them');
}

/** A value is never shown: it may be a key. */
function checkExtraHeaders(headers: unknown, place: string): void {
  if (headers === undefined) return;
  if (!isRecord(headers)) fail(place, 'Expected an object of names and values');
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name)) fail(`${place}.${name}`, 'This is not a valid header name');
    if (!isText(value)) fail(`${place}.${name}`, 'Expected a non-empty string of one line');
    if (!isHeaderValue(value)) fail(`${place}.${name}`, UNSENDABLE);
  }
}

function checkToolChoice(definition: AgentDefinition, place: string): void {
  const choice = definition.modelSettings?.toolChoice;
  if (typeof choice !== 'object') return;
  checkFields(choice, ['tool'], place);
  const { tool } = choice;
  if (!hasTool(definition, tool)) fail(place, `The agent has no tool \`${tool}\``);
}

function isToolChoice(value: unknown): boolean {
  if (value === 'auto' || value === 'none' || value === 'required') return true;
  return isRecord(value) && 'tool' in value && isText(value.tool);
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Spaces and line breaks end an answer as well as words. */
function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Only plain values are shown: a body may contain a key, or what JSON has no form for. */
function got(value: unknown): string {
  if (typeof value === 'string') return `, got \`${JSON.stringify(value)}\``;
  if (Array.isArray(value)) return ', got a list';
  return typeof value === 'object' ? ', got an object' : `, got \`${String(value)}\``;
}

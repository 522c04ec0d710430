import { checkFields, fail, isRecord } from '../../../../agent/define/checks/fail';
import type { ModelOptions } from '../../../../agent/model/config';
import type { ModelSettings } from '../../../../agent/model/settings';
import { defined } from '../../../../agent/values/defined';
import { checkModelSettings, MODEL_SETTINGS } from '../../../../runtime/config/models';
import type { Specification } from './language-model';
import { traitsOf } from './provider-traits';

/** Settings of a model of the AI SDK. Those that its specification has no field for are refused. */
export interface AiSdkSettings extends ModelOptions {
  /**
   * Marks the prefixes that the next call shares, for providers whose cache wants marks: in the form of Bedrock for
   * `@ai-sdk/amazon-bedrock`, else in Anthropic's form. Default: `true` for models of Anthropic, those on Bedrock from
   * Claude 3.7 on, whose `providerOptions` have no `cacheControl`.
   */
  promptCaching?: boolean;
}

/** A provider, and the version of the specification in which it is spoken with. */
interface About {
  provider: string;
  version: Specification;
}

/** The settings for which the specification has no field. */
export function unsentBy({ provider, version }: About): (keyof ModelSettings)[] {
  return [
    ...(version === 'v4' ? [] : (['reasoningEffort'] as const)),
    'serviceTier',
    'extraBody',
    ...(traitsOf(provider).oneCallAtATime === undefined ? (['parallelToolCalls'] as const) : []),
  ];
}

/** Those among some settings for which the specification has no field, with what replaces them. */
export function unsentSettings(settings: ModelSettings, about: About): { setting: string; problem: string }[] {
  const [name = about.provider] = about.provider.split('.', 1);
  const instead = `Set it in \`providerOptions.${name}\`, in the provider's words`;
  return unsentBy(about).flatMap((setting) => {
    const given = settings[setting];
    // Several calls at a time are what every provider does.
    if (given === undefined || (setting === 'parallelToolCalls' && given === true)) return [];
    return [{ setting, problem: `models of the AI SDK have no common field for \`${setting}\`. ${instead}` }];
  });
}

const PLACE = 'aiSdk.settings';

/** @throws HoldfastError `InvalidDefinition` for a setting that would be ignored, or does not fit */
export function checkedSettings(given: AiSdkSettings, about: About): AiSdkSettings {
  if (!isRecord(given)) fail(PLACE, 'Expected an object');
  checkFields(given, ['promptCaching', ...MODEL_SETTINGS], PLACE);
  const [unsent] = unsentSettings(given, about);
  if (unsent !== undefined) fail(`${PLACE}.${unsent.setting}`, unsent.problem);
  const { promptCaching, ...settings } = given;
  checkOptions(Object.keys(settings.providerOptions ?? {}), about.provider);
  if (promptCaching !== undefined && typeof promptCaching !== 'boolean')
    fail(`${PLACE}.promptCaching`, 'Expected `true` or `false`');
  return { ...checkModelSettings(defined(settings), PLACE), ...defined({ promptCaching }) };
}

/** The keys of `providerOptions` that the packages of these providers read, by the first word of the provider's name. */
const READS: { readonly [provider: string]: readonly string[] } = {
  openai: ['openai'],
  azure: ['azure', 'openai'],
  anthropic: ['anthropic'],
  mistral: ['mistral'],
  groq: ['groq'],
  xai: ['xai'],
  deepseek: ['deepseek'],
  cohere: ['cohere'],
};
/** Keys that only these providers, and those of Google and Amazon, read. */
const KNOWN = new Set([...Object.values(READS).flat(), 'google', 'vertex', 'bedrock']);

/**
 * Refuses options for another provider, which the package would ignore. Which keys a gateway, a custom provider or one with
 * several backends reads is not known: theirs are not checked.
 */
function checkOptions(keys: readonly string[], provider: string): void {
  const [name = ''] = provider.split('.', 1);
  const reads = Object.hasOwn(READS, name) ? READS[name] : undefined;
  const ignored = keys.find((key) => reads !== undefined && KNOWN.has(key) && !reads.includes(key));
  if (reads === undefined || ignored === undefined) return;
  const expected = reads.map((key) => `\`${key}\``).join(' or ');
  fail(`${PLACE}.providerOptions.${ignored}`, `\`${provider}\` ignores them; its options are under ${expected}`);
}

import { HoldfastError } from '../../../../agent/errors/error';
import type { ModelOptions } from '../../../../agent/model/config';
import type { ModelSettings } from '../../../../agent/model/settings';
import type { Specification } from './language-model';
import { traitsOf } from './provider-traits';

/** Settings of a model of the AI SDK. Those that its specification has no field for are refused. */
export interface AiSdkSettings extends ModelOptions {
  /**
   * Marks the prefixes that the next call shares, for providers whose cache wants marks in Anthropic's form. Default:
   * `true` for models of Anthropic whose `providerOptions` have no `cacheControl`.
   */
  promptCaching?: boolean;
}

/** The settings for which the specification has no field, with what replaces them. */
export function unsentSettings(
  settings: ModelSettings,
  { provider, version }: { provider: string; version: Specification },
): { setting: string; problem: string }[] {
  const [name = provider] = provider.split('.', 1);
  const instead = `Set it in \`providerOptions.${name}\`, in the provider's words`;
  const { oneCallAtATime } = traitsOf(provider);
  return [
    { setting: 'reasoningEffort', given: version === 'v4' ? undefined : settings.reasoningEffort },
    { setting: 'serviceTier', given: settings.serviceTier },
    { setting: 'extraBody', given: settings.extraBody },
    {
      setting: 'parallelToolCalls',
      given: settings.parallelToolCalls === false && oneCallAtATime === undefined ? false : undefined,
    },
  ].flatMap(({ setting, given }) =>
    given === undefined
      ? []
      : [{ setting, problem: `models of the AI SDK have no common field for \`${setting}\`. ${instead}` }],
  );
}

/** @throws HoldfastError `InvalidDefinition` for a setting that would be ignored */
export function checkSettings(settings: AiSdkSettings, about: { provider: string; version: Specification }): void {
  const [unsent] = unsentSettings(settings, about);
  if (unsent === undefined) return;
  throw new HoldfastError('InvalidDefinition', { place: `aiSdk.settings.${unsent.setting}`, problem: unsent.problem });
}

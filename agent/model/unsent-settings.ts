import type { ServerModel } from './config';
import type { ModelSettings } from './settings';

type Api = NonNullable<ServerModel['api']>;

/** Settings that OpenAI's APIs have no field for. */
const UNSENT: { readonly [api in Api]: readonly (keyof ModelSettings)[] } = {
  chat: [],
  responses: ['stop', 'seed'],
};

/** Settings of a model behind a server that cannot be sent, with what to do instead. */
export function unsentSettings(
  settings: ModelSettings,
  api: Api = 'chat',
): { setting: keyof ModelSettings; problem: string }[] {
  return unsentBy(api).flatMap((setting) =>
    settings[setting] === undefined
      ? []
      : [{ setting, problem: `OpenAI Responses has no field for \`${setting}\`. Remove it, or use \`api: chat\`` }],
  );
}

/** Settings that an API has no field for. */
export function unsentBy(api: Api): readonly (keyof ModelSettings)[] {
  return UNSENT[api];
}

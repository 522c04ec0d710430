import { HoldfastError } from '../../../../agent/errors/error';
import type { AdaptedModel } from '../../../../agent/model/config';
import { isJsonObject } from '../../../../agent/values/json';
import { kindOf } from '../function/checked-part';
import { aiSdkAdapter } from './ai-sdk-adapter';
import { type AiSdkModel, SPECIFICATIONS, type Specification } from './language-model';
import { DEFAULT_MARK, traitsOf } from './provider-traits';
import type { Dialect } from './request/dialect';
import { type AiSdkSettings, checkedSettings } from './settings';

/**
 * A model of any AI SDK provider: `aiSdk(anthropic('claude-sonnet-4-5'))`. Holdfast has no provider among its
 * dependencies; install the package of yours.
 * @param model what the provider returns for the name of a model, of the specification v2, v3 or v4. On Node 20 take the
 * packages that go with `ai` 6, such as `@ai-sdk/anthropic@3`
 * @throws HoldfastError `InvalidDefinition` for what is not such a model, and for a setting that would be ignored or
 * does not fit
 */
export function aiSdk(model: AiSdkModel, settings: AiSdkSettings = {}): AdaptedModel {
  const version = checkedVersion(model);
  const { provider, modelId } = model;
  const { promptCaching, ...rest } = checkedSettings(settings, { provider, version });
  const {
    oneCallAtATime,
    cacheMark,
    isMarked,
    holdsMedia,
    takesMedia,
    images,
    stillImages = false,
    opensImages = true,
    holdsUrls = true,
    callId,
    dropsCalls = false,
  } = traitsOf(provider);
  const isOurs = settings.providerOptions?.anthropic?.cacheControl === undefined && isMarked?.(modelId) !== false;
  const marks = promptCaching ?? isOurs;
  const mark = cacheMark ?? (promptCaching === true ? DEFAULT_MARK : undefined);
  const dialect: Dialect = {
    version,
    oneCallAtATime,
    cacheMark: marks ? mark : undefined,
    holdsMedia: (mediaType) => holdsMedia?.(mediaType, modelId) === true,
    takesMedia: (mediaType) => takesMedia?.(mediaType) !== false,
    images,
    stillImages,
    opensImages,
    holdsUrls,
    callId: callId?.(modelId),
    dropsCalls,
  };
  return { ...rest, model: modelId, adapter: aiSdkAdapter(model, dialect) };
}

function checkedVersion(model: unknown): Specification {
  const fail = (problem: string) => new HoldfastError('InvalidDefinition', { place: 'aiSdk.model', problem });
  const isModel =
    isJsonObject(model) && typeof model.doStream === 'function' && typeof model.specificationVersion === 'string';
  if (!isModel || typeof model.provider !== 'string' || typeof model.modelId !== 'string') {
    const got = typeof model === 'string' ? `\`${model}\`` : `${kindOf(model)} without \`doStream\``;
    throw fail(
      `Expected a language model of an AI SDK provider, such as \`anthropic('claude-sonnet-4-5')\`, got ${got}`,
    );
  }
  const version = SPECIFICATIONS.find((known) => known === model.specificationVersion);
  if (version !== undefined) return version;
  throw fail(
    `The model \`${model.modelId}\` of \`${model.provider}\` has the specification \`${model.specificationVersion}\`, ` +
      `and ${SPECIFICATIONS.join(', ')} are known. Install a version of the provider's package with one of them: ` +
      'for Node 20 those that go with `ai` 6',
  );
}

import type { MediaPart } from '../../../../../agent/model/message';
import type { AiSdkModel, SupportedUrls } from '../language-model';
import type { Dialect } from './dialect';

/** Whether a model takes media: with its content, or by an address that it opens. */
export type IsOpened = (part: MediaPart) => boolean;

/** What the package of a model says about addresses. Packages throw for others, or the provider refuses the request. */
export async function openedUrls(
  { supportedUrls }: Pick<AiSdkModel, 'supportedUrls'>,
  { opensImages }: Pick<Dialect, 'opensImages'>,
): Promise<IsOpened> {
  const patterns = (await supportedUrls) ?? {};
  return ({ mediaType, data, url = '' }) => {
    if (data !== undefined || isSupported(patterns, mediaType.toLowerCase(), url.toLowerCase())) return true;
    return opensImages && mediaType.toLowerCase().startsWith('image/');
  };
}

function isSupported(patterns: SupportedUrls, mediaType: string, url: string): boolean {
  const [kind] = mediaType.split('/', 1);
  return ['*', '*/*', `${kind}/*`, mediaType].some((key) => {
    const known = Object.hasOwn(patterns, key) ? patterns[key] : undefined;
    return known?.some((pattern) => pattern.test(url)) === true;
  });
}

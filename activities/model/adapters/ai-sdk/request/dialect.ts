import type { CallId } from '../../call-ids';
import type { Specification } from '../language-model';
import type { ProviderOptions } from './prompt-form';

/** How the requests to one model are made. */
export interface Dialect {
  version: Specification;
  /** Marks prefixes to be cached. */
  cacheMark?: ProviderOptions | undefined;
  /** Asks for one call at a time. */
  oneCallAtATime?: ProviderOptions | undefined;
  /** Whether a result of a tool may hold such media; others follow it in a message of the user. */
  holdsMedia(mediaType: string): boolean;
  /** Whether a message may have media of a result; of others the model reads only what they are. */
  takesMedia(mediaType: string): boolean;
  /** Types of images that it takes; of others the model reads only what they are. Missing: those of most providers. */
  images?: RegExp | undefined;
  /** It refuses animated GIFs. */
  stillImages: boolean;
  /** Whether the provider opens the addresses of images that its package does not name as supported. */
  opensImages: boolean;
  /** Whether a result of a tool may hold media by `url`; others follow it in a message of the user. */
  holdsUrls: boolean;
  /** The ids of calls that it takes. Missing: any text. */
  callId?: CallId | undefined;
  /** Without tools that may be called, the provider's package leaves calls and their results out. */
  dropsCalls: boolean;
}

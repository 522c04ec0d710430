import type { Json } from '../../../agent/values/json';
import type { ModelAt } from './hostile-model';

/** An API of model servers, in the bytes that a hostile server sends. */
export interface HostileApi {
  name: string;
  /** A model that is reached through it. */
  model: ModelAt;
  /** The setting that limits the bytes of an answer, as errors name it. */
  limit: string;
  /** A provider's package reads the stream, with `safeFetch` below it: it has its own words for what it cannot read. */
  isForeign?: true;
  /** The package tells of the end of an answer when its stream ends, and not before. */
  endsWithStream?: true;
  /** Events of a stream, each with its frame: a piece of text, of a refusal, a whole call, an event without content. */
  text(content: string): string;
  /** Missing: a refusal has no pieces. */
  refusal?(content: string): string;
  call(call: { index: number; id: string; name: string; arguments: string }): string;
  reasoning(content: string): string;
  padding(content: string): string;
  /** The error of a wrong key, with status 200. */
  failed(message: string): string;
  /**
   * The end of an answer.
   * @param how `tokens`: the usage as JSON, which may be no number of tokens
   */
  ended(how?: { calls?: true; tokens?: string }): string;
  /** The answer of a server that does not stream. Missing: every answer is streamed. */
  whole?(content: string): string;
  /** Events with a huge field that is not part of the answer itself. */
  beside(huge: string): [name: string, event: Json][];
}

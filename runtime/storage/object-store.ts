/** Bytes that an object has at most. */
export const MAX_OBJECT = 64 * 1024 * 1024;

/** Where payloads are kept, by key. Objects are written once and never change: a key is the hash of its object. */
export interface ObjectStore {
  /** Names the place in messages, such as ``the folder `/data/payloads` ``. */
  readonly where: string;
  /** Prepares the place when a worker starts. */
  open(): Promise<void>;
  /** Writes an object. One that exists counts as new from then on, for rules that delete by age. */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /**
   * `undefined` if there is no such object, or one over {@link MAX_OBJECT}, which `put` does not write.
   * @throws whatever is wrong with the place at the moment
   */
  get(key: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
}

/** A store whose keys are in folders. */
export interface FolderedStore extends ObjectStore {
  /** What a folder has: names of folders, or of objects, in no order. */
  list(folder: string, signal?: AbortSignal): Promise<string[]>;
  /** Deletes a folder with all that is in it. */
  remove(folder: string, signal?: AbortSignal): Promise<void>;
}

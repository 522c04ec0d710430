import type { S3Client } from '@aws-sdk/client-s3';
import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { BucketConfig } from '../config/storage';
import { type FolderedStore, MAX_OBJECT } from './object-store';

type Sdk = typeof import('@aws-sdk/client-s3');

/** A bucket of S3, or of a service that speaks its protocol. */
export class S3Store implements FolderedStore {
  readonly where: string;
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor({ bucket, prefix = '', region, endpoint, forcePathStyle }: BucketConfig) {
    this.where = `the bucket \`${bucket}\`${endpoint === undefined ? '' : ` at ${endpoint}`}`;
    this.#sdk = loadSdk();
    this.#client = new this.#sdk.S3Client({
      // Services other than Amazon's accept any region.
      ...defined({ region: region ?? (endpoint === undefined ? undefined : 'us-east-1'), endpoint }),
      forcePathStyle: forcePathStyle ?? endpoint !== undefined,
      // The caller repeats, and knows when to stop.
      maxAttempts: 1,
    });
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  /** A bucket is made by those who pay for it. */
  async open(): Promise<void> {}

  async put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const object = { ...this.#object(key), Body: bytes, ContentLength: bytes.length };
    await this.#client.send(new this.#sdk.PutObjectCommand(object), defined({ abortSignal: signal }));
  }

  async get(key: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const command = new this.#sdk.GetObjectCommand(this.#object(key));
    try {
      const { Body, ContentLength = 0 } = await this.#client.send(command, defined({ abortSignal: signal }));
      if (ContentLength <= MAX_OBJECT) return await Body?.transformToByteArray();
      // Unread bodies keep their connection.
      (Body as { destroy?(): void } | undefined)?.destroy?.();
      return undefined;
    } catch (error) {
      // A bucket that is missing is an error of the place: nothing may be decided without what it had.
      if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  async list(folder: string, signal?: AbortSignal): Promise<string[]> {
    const begin = `${this.#prefix}${folder}/`;
    const names = new Set<string>();
    for await (const { Key = '' } of this.#objects(begin, signal)) {
      const [name] = Key.slice(begin.length).split('/');
      if (name) names.add(name);
    }
    return [...names];
  }

  async remove(folder: string, signal?: AbortSignal): Promise<void> {
    for await (const { Key } of this.#objects(`${this.#prefix}${folder}/`, signal)) {
      const command = new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key });
      await this.#client.send(command, defined({ abortSignal: signal }));
    }
  }

  async *#objects(begin: string, signal: AbortSignal | undefined) {
    let ContinuationToken: string | undefined;
    do {
      const asked = { Bucket: this.#bucket, Prefix: begin, ...defined({ ContinuationToken }) };
      const command = new this.#sdk.ListObjectsV2Command(asked);
      const page = await this.#client.send(command, defined({ abortSignal: signal }));
      yield* page.Contents ?? [];
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${key}` };
  }
}

/** An optional peer: only those who use it install it, and only they load it. */
function loadSdk(): Sdk {
  try {
    return require('@aws-sdk/client-s3') as Sdk;
  } catch (error) {
    const problem = 'The package `@aws-sdk/client-s3` is not installed; run `npm install @aws-sdk/client-s3`';
    throw new HoldfastError('StorageUnavailable', { where: 'S3', problem }, { cause: error });
  }
}

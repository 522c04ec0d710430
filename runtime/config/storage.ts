import { resolve } from 'node:path';
import { z } from 'zod';
import { asSwitch, eitherOf, expected, section, text, url, whole, yesNo } from './fields';

/**
 * Bytes. Names, memos and the answers of most queries are smaller, and need no storage. A reference to an object takes
 * about 300 bytes itself.
 */
const LEAST_THRESHOLD = 16 * 1024;

/** A bucket of S3 or of a compatible service. Its credentials come from where the AWS SDK looks for them. */
export interface BucketConfig {
  bucket: string;
  /** In front of the key of every object, such as `payloads/`. Default: nothing. */
  prefix?: string;
  /** Default: where the AWS SDK finds one, or `us-east-1` with an `endpoint`. */
  region?: string;
  /** The URL of a service that is not Amazon's. */
  endpoint?: string;
  /** The bucket is in the path, not in the host name. Default: with an `endpoint`. */
  forcePathStyle?: boolean;
}

/** Where payloads are kept that are too large for Temporal's histories. */
export type StorageConfig = {
  /** Bytes from which a payload is kept there, at least 16,384. Default 262,144, as in Temporal itself. */
  threshold?: number;
  /**
   * Facts and messages of runs are kept there as well, so that they can be read after the server has deleted their histories:
   * of runs that start from then on. `read`: of no more runs, but what is kept is still read, and deleted with its run.
   * Default false.
   */
  archive?: boolean | 'read';
} & ({ /** The absolute path of a folder that all processes share. */ folder: string } | BucketConfig);

const threshold = whole(LEAST_THRESHOLD).exactOptional();
const archive = z
  .preprocess(
    asSwitch,
    z.union([z.boolean(), z.literal('read')], { error: (issue) => expected(issue, '`true`, `false` or `read`') }),
  )
  .exactOptional();
const folder = section({ folder: text, threshold, archive });
const bucket = section({
  bucket: text,
  prefix: text.exactOptional(),
  region: text.exactOptional(),
  endpoint: url.exactOptional(),
  forcePathStyle: yesNo.exactOptional(),
  threshold,
  archive,
});

/** The section `storage` of temporal.yaml. */
export const storage = eitherOf(['bucket', bucket], ['folder', folder], 'Expected a `folder`, or a `bucket` of S3');

/** With an absolute path. */
export function storageOf(given: z.output<typeof storage>, dir: string): StorageConfig {
  return 'folder' in given ? { ...given, folder: resolve(dir, given.folder) } : given;
}

import { ONLY_VERSION } from '../values/version';
import type { Manifest } from './manifest';

/** The version that a run works by. One that began when its agent had no `versions` works by the only one of that time. */
export function pinnedVersion({ contractVersion = ONLY_VERSION }: Pick<Manifest, 'contractVersion'>): string {
  return contractVersion;
}

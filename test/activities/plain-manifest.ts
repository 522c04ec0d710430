import { DEFAULT_LIMITS } from '../../agent/limits';
import type { Manifest } from '../../agent/protocol/manifest';

/** An agent with only a name. */
export const plainManifest: Manifest = {
  version: 1,
  agent: 'test.agent',
  models: ['default'],
  tools: [],
  checksOutput: false,
  limits: DEFAULT_LIMITS,
  searchAttributes: false,
};

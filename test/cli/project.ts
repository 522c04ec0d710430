import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentTestEnvironment } from 'holdfast/testing';

/** A folder in which commands find the server of a test. */
export interface Project {
  dir: string;
  /** Its `temporal.yaml`. */
  config: string;
  remove(): void;
}

/** @param settings further lines of its `temporal.yaml` */
export function projectOf({ temporal, taskQueue }: AgentTestEnvironment, ...settings: string[]): Project {
  const { namespace = 'default' } = temporal;
  return projectAt({ address: temporal.connection.options.address, namespace, taskQueue }, ...settings);
}

/** The same for a server of any kind. */
export function projectAt(
  { address, namespace = 'default', taskQueue }: { address: string; namespace?: string; taskQueue: string },
  ...settings: string[]
): Project {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-project-'));
  const config = join(dir, 'temporal.yaml');
  const temporal = `temporal: {address: '${address}', namespace: ${namespace}, taskQueue: ${taskQueue}}`;
  writeFileSync(config, [temporal, ...settings, ''].join('\n'));
  return { dir, config, remove: () => rmSync(dir, { recursive: true }) };
}

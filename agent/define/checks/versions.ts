import { isVersion } from '../../values/version';
import type { AgentDefinition } from '../agent-definition';
import { checkFields, checkRecord, fail, isRecord } from './fail';

const FIELDS = ['inputSchema', 'outputSchema', 'instructions', 'contextBuilder', 'outputBuilder', 'fallbackAnswer'];

/** Checks the form of an agent's versions. What each of them makes of the agent is checked as an agent is. */
export function checkVersions({ versions }: AgentDefinition, agent: string): void {
  const place = `${agent}.versions`;
  checkRecord(versions, place);
  if (versions === undefined) return;
  if (Object.keys(versions).length === 0) fail(place, "Expected at least one version, such as `{ '1.0.0': {} }`");
  for (const [number, version] of Object.entries(versions)) {
    if (!isVersion(number)) fail(`${place}.${number}`, 'A version is three numbers joined by dots, such as `1.0.0`');
    if (!isRecord(version)) fail(`${place}.${number}`, 'Expected an object with what differs in this version');
    checkFields(version, FIELDS, `${place}.${number}`);
  }
}

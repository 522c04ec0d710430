import type { Grant } from '../../agent/approvals/approval';
import { isJsonObject, type Json } from '../../agent/values/json';
import type { Run } from '../run/run';
import { writeGrants } from '../waits/remembered-grants';
import type { ServiceCall } from './service-event';

/** Type of the events that ask a person which tools may be run. */
const TOOL_APPROVAL = 'com.tool.approval';

/** Whether the answer of a call decides on whole tools. */
export function decidesOnTools({ service }: ServiceCall): boolean {
  return service.contract.accepts === TOOL_APPROVAL;
}

/**
 * Applies a person's decisions about whole tools before the run goes on, and keeps them for other runs. Returns the cancel that
 * interrupted it. A replay has to wait for as many promises as the run that was recorded.
 */
export async function takeToolApprovals(
  run: Run,
  toolUseId: string,
  data: Json,
): Promise<{ error: unknown } | undefined> {
  const approvals = isJsonObject(data) && Array.isArray(data.approvals) ? data.approvals : [];
  const grants = approvals.flatMap((given) => grantOf(run, given));
  if (grants.length === 0) return undefined;
  run.apply({ type: 'granted', grants });
  return writeGrants(run, toolUseId, grants).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
}

function grantOf({ state }: Run, given: Json): Grant[] {
  if (!isJsonObject(given)) return [];
  const { tool: asked, value, comments } = given;
  const tool = state.manifest?.tools.find(({ name, modelName }) => name === asked || modelName === asked);
  if (tool === undefined) return [];
  // The sender is not known: for tools that name their deciders this answer may deny, but not grant.
  if (value === true && tool.approval?.deciders !== undefined) return [];
  const comment = typeof comments === 'string' ? { comment: comments } : {};
  return [{ tool: tool.name, key: '', allowed: value === true, by: 'tool.approval', at: Date.now(), ...comment }];
}

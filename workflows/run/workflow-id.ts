import { utf8Bytes } from '../../agent/values/json';

/** Bytes that servers accept in the id of a workflow. */
export const MAX_WORKFLOW_ID = 1000;

/** A command with any other id would fail the workflow task forever. */
export function isWorkflowId(id: string): boolean {
  return id !== '' && utf8Bytes(id) <= MAX_WORKFLOW_ID;
}

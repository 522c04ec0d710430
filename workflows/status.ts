import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Run } from './run';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
const AGENT = keyword('HoldfastAgent');
const STATUS = keyword('HoldfastStatus');
const OWNER = keyword('HoldfastOwner');
/** Characters that SQL visibility stores hold of a keyword; over 2 KB the server terminates the run at its very end. */
const MAX_KEYWORD = 255;

/** Shows the live page of the run in the Web UI. It is no command: it costs no history and nothing in a replay. */
export function showStatus(run: Run): void {
  setCurrentDetails(run.page.text(run.state));
}

/** Makes an ended run findable. Where the attributes are not registered the task would fail for ever. */
export function publishEnd({ state }: Run): void {
  if (!state.manifest?.searchAttributes || state.end === undefined) return;
  upsertSearchAttributes([
    { key: AGENT, value: state.agent },
    { key: STATUS, value: state.end.reason },
    ...(state.owner === undefined ? [] : [{ key: OWNER, value: state.owner.slice(0, MAX_KEYWORD) }]),
  ]);
}

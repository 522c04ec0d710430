import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Run } from './run';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
const AGENT = keyword('HoldfastAgent');
const STATUS = keyword('HoldfastStatus');
const OWNER = keyword('HoldfastOwner');

/** The live page of the run in the Web UI. */
export function showStatus({ state }: Run): void {
  const { agent, turn, toolInteractions, awaiting, usage, end } = state;
  const doing = end?.reason ?? (awaiting.length > 0 ? `running ${awaiting.map((c) => c.name).join(', ')}` : 'thinking');
  setCurrentDetails(
    [
      `**${agent}**: ${doing}`,
      `- turn ${turn}, ${toolInteractions.current} of ${toolInteractions.max} tool interactions`,
      `- ${usage.prompt + usage.completion} tokens`,
      ...(end?.error ? [`- ${end.error.type}: ${end.error.message}`] : []),
    ].join('\n'),
  );
}

/** Makes an ended run findable. Where the attributes are not registered the task would fail for ever. */
export function publishEnd({ state }: Run): void {
  if (!state.manifest?.searchAttributes || state.end === undefined) return;
  upsertSearchAttributes([
    { key: AGENT, value: state.agent },
    { key: STATUS, value: state.end.reason },
    ...(state.owner === undefined ? [] : [{ key: OWNER, value: state.owner }]),
  ]);
}

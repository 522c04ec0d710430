import { proxyActivities } from '@temporalio/workflow';
import type { WorkInput } from '../work';
import type { BareActivities } from './activities';

const { callModel, work } = proxyActivities<BareActivities>({ startToCloseTimeout: '10 minutes' });

/** The plainest agent loop: two activities a turn, the transcript in the memory of the worker. */
export async function bareLoop(input: WorkInput): Promise<string> {
  let answer = await callModel({ role: 'user', content: JSON.stringify(input) });
  while (answer.call !== undefined) {
    const { id, input } = answer.call;
    answer = await callModel({ role: 'tool', tool_call_id: id, content: await work(input) });
  }
  return answer.text;
}

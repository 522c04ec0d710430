import { condition, defineQuery, defineSignal, executeChild, proxyActivities, setHandler } from '@temporalio/workflow';
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

/** Two model calls, with the given number of concurrent children between them. */
export async function bareServices({ services = 0, ...input }: WorkInput): Promise<string> {
  const news = { role: 'user', content: JSON.stringify({ ...input, turns: 0 }) } as const;
  await callModel(news);
  const texts = Array.from({ length: services }, (_, i) => `piece ${i}`);
  await Promise.all(texts.map((text) => executeChild(bareChild, { args: [{ text }] })));
  return (await callModel(news)).text;
}

/** The service: it only returns the bytes. */
export async function bareChild({ text }: { text: string }): Promise<{ text: string }> {
  return { text: text.padEnd(1024, '.') };
}

/** One turn whose tool waits for a signal. */
export async function bareWaiting(input: WorkInput): Promise<string> {
  let [waits, decided] = [false, false];
  setHandler(defineQuery('waits'), () => waits);
  setHandler(defineSignal('decide'), () => {
    decided = true;
  });
  const { call } = await callModel({ role: 'user', content: JSON.stringify(input) });
  waits = true;
  await condition(() => decided);
  const content = await work(call?.input ?? { text: '' });
  return (await callModel({ role: 'tool', tool_call_id: call?.id ?? '', content })).text;
}

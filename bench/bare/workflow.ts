import { condition, defineQuery, defineSignal, executeChild, proxyActivities, setHandler } from '@temporalio/workflow';
import type { WorkInput } from '../work';
import type { BareActivities } from './activities';
import { callMessage, resultMessage } from './messages';

const { callModel, callModelWith, work } = proxyActivities<BareActivities>({ startToCloseTimeout: '10 minutes' });

/** The plainest agent loop: two activities a turn, the transcript in the memory of the worker. */
export async function bareLoop(input: WorkInput): Promise<string> {
  let answer = await callModel({ role: 'user', content: JSON.stringify(input) });
  while (answer.call !== undefined) {
    const { id, input } = answer.call;
    answer = await callModel(resultMessage(id, await work(input)));
  }
  return answer.text;
}

/** The plainest agent loop that loses nothing with its worker: it keeps the messages and sends all of them with each call. */
export async function bareDurableLoop(input: WorkInput): Promise<string> {
  const messages: Parameters<BareActivities['callModelWith']>[0] = [{ role: 'user', content: JSON.stringify(input) }];
  let answer = await callModelWith(messages);
  while (answer.call !== undefined) {
    const { call } = answer;
    messages.push(callMessage(call), resultMessage(call.id, await work(call.input)));
    answer = await callModelWith(messages);
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
  return (await callModel(resultMessage(call?.id ?? '', content))).text;
}

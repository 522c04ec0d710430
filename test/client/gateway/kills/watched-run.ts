import type { Message } from '../../../../agent/model/message';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import { ChatReader, textsOf } from './chat-reader';
import { type Hearing, readFacts } from './fact-reader';
import { getJson, persist, post } from './requests';

const AGENT = 'kills.counter';

/** Asks in a new conversation, reads the answer with five readers, and closes it. Returns what is wrong. */
export async function watchRun(url: string, name: string, hearing: Pick<Hearing, 'heard'>): Promise<string[]> {
  const problems: string[] = [];
  const to = { ...hearing, problem: (text: string) => void problems.push(text) };
  const chat = new ChatReader(url, to);
  const asked = chat.submit(AGENT, name, name);
  const id = await asked.id;
  const run = `${url}/v1/runs/${encodeURIComponent(id)}`;
  const readers = Promise.all([true, true, false].map((deltas) => readFacts(run, deltas, to)));
  const messages = await Promise.all([asked.answer, chat.follow(id)]);
  await post(`${run}/close`, {}, `close-${name}`);
  const facts = await readers;

  const transcript = (await persist(() => getJson<{ messages: Message[] }>(`${run}/transcript`))).messages;
  const said = transcript.filter(({ role }) => role === 'assistant').map(textOf);
  for (const message of messages) {
    const shown = textsOf(message);
    if (JSON.stringify(shown) !== JSON.stringify(said)) problems.push(`${shown} is shown of ${said}`);
  }
  for (const one of facts) problems.push(...problemsOf(one, facts[0] ?? []));
  return problems.map((problem) => `${name}: ${problem}`);
}

function textOf({ parts }: Message): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function problemsOf(facts: readonly Fact[], others: readonly Fact[]): string[] {
  const types = facts.map(({ seq, type }) => `${seq} ${type}`);
  const gap = facts.findIndex(({ seq }, i) => seq !== i + 1);
  return [
    ...(gap === -1 ? [] : [`after fact ${gap} comes ${types[gap]}`]),
    ...(facts.at(-1)?.type === 'loop.end' ? [] : [`the last fact is ${types.at(-1)}`]),
    ...(facts.filter(({ type }) => type === 'exchange.end').length === 1 ? [] : [`not one end: ${types}`]),
    ...(JSON.stringify(facts) === JSON.stringify(others) ? [] : [`readers have different facts: ${types}`]),
  ];
}

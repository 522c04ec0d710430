import type { ContentPart, Message, Part, ToolResultPart, ToolUsePart } from '../../agent/model/message';
import type { ExchangeEnd, Fact } from '../../agent/protocol/facts/fact';
import { mediaText } from '../show/transcript';
import type { Exported } from './exported';

/** A run for people: a heading for each exchange of a conversation, and each call folded together with its result. */
export function markdown({ id, agent, owner, title, system, messages, facts }: Exported): string {
  const places = exchangesOf(facts);
  const results = resultsOf(messages);
  const lines = [
    `# ${escaped(title ?? id)}`,
    '',
    [`Run ${code(id)} of the agent ${code(agent)}`, ...(owner === undefined ? [] : [`for ${code(owner)}`])].join(' '),
    ...(system === undefined ? [] : ['', folded('System prompt', system)]),
  ];
  let exchange: number | undefined;
  const close = () => {
    const end = exchange === undefined ? undefined : places.ends.get(exchange);
    if (end !== undefined) lines.push('', end);
  };
  let index = -1;
  for (const message of messages) {
    index += 1;
    const place = places.of.get(index) ?? exchange;
    if (place !== undefined && place !== exchange && place > 0) {
      close();
      exchange = place;
      if (places.starts.size > 0) lines.push('', places.starts.get(place) ?? `## Exchange ${place}`);
    }
    const said = messageText(message, results);
    if (said !== '') lines.push('', said);
    if (message.missing !== undefined) index = message.missing.to - 1;
  }
  close();
  return `${lines.join('\n')}\n`;
}

/** The exchange of each message, from the facts. A transcript that is rewritten gets new facts. */
function exchangesOf(facts: readonly Fact[]) {
  const of = new Map<number, number>();
  const starts = new Map<number, string>();
  const ends = new Map<number, string>();
  for (const fact of facts) {
    if (fact.type === 'message') of.set(fact.index, fact.exchange);
    if (fact.type === 'exchange.start') {
      const { exchange, time, by, regenerates } = fact;
      const again = regenerates === undefined ? '' : `, regenerates exchange ${regenerates}`;
      const who = by === undefined ? '' : `, ${escaped(by)}`;
      starts.set(exchange, `## Exchange ${exchange}${again}${who}, ${new Date(time).toISOString()}`);
    }
    if (fact.type === 'exchange.end') {
      const why = fact.error === undefined ? '' : `: ${escaped(`${fact.error.type}, ${fact.error.message}`)}`;
      const end = ENDED[fact.reason];
      if (end !== undefined) ends.set(fact.exchange, `*The exchange ${end}${why}*`);
    }
  }
  return { of, starts, ends };
}

/** The ends that need a note. The others end with their answer. */
const ENDED: { readonly [R in ExchangeEnd]?: string } = {
  failed: 'failed',
  interrupted: 'was interrupted',
  cancelled: 'was cancelled',
};

function resultsOf(messages: readonly Message[]): Map<string, ToolResultPart> {
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result'));
  return new Map(results.map((result) => [result.toolUseId, result]));
}

function messageText({ role, parts, partial }: Message, results: ReadonlyMap<string, ToolResultPart>): string {
  // Results are shown with their calls.
  const blocks = parts.filter(({ type }) => type !== 'tool_result').map((part) => partText(part, results));
  if (blocks.length === 0) return '';
  const name = role === 'user' ? 'User' : 'Agent';
  return [`**${name}**${partial === true ? ' *(interrupted)*' : ''}`, ...blocks].join('\n\n');
}

function partText(part: Part, results: ReadonlyMap<string, ToolResultPart>): string {
  switch (part.type) {
    case 'reasoning':
      return folded('Thinks', part.text);
    case 'tool_use':
      return callBlock(part, results.get(part.toolUseId));
    case 'tool_result':
      return resultBlocks(part.content).join('\n\n');
    case 'media':
      return mediaLine(part);
    case 'text':
      return part.text;
  }
}

function callBlock({ toolUseId, name, input, rawInput }: ToolUsePart, result: ToolResultPart | undefined): string {
  const outcome = result === undefined ? ', no result yet' : result.isError ? ', failed' : '';
  return [
    `<details><summary>${html(`${toolUseId} ${name}${outcome}`)}</summary>`,
    // A text that is not JSON is shown as the model wrote it.
    rawInput === undefined ? fenced(JSON.stringify(input, null, 2), 'json') : fenced(rawInput),
    ...resultBlocks(result?.content ?? []),
    '</details>',
  ].join('\n\n');
}

/** All texts in one block, then one line for each media part. */
function resultBlocks(content: readonly ContentPart[]): string[] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const media = content.flatMap((part) => (part.type === 'media' ? [mediaLine(part)] : []));
  return [...(texts.length === 0 ? [] : [fenced(texts.join('\n'))]), ...media];
}

function mediaLine(part: Extract<ContentPart, { type: 'media' }>): string {
  return escaped(mediaText(part));
}

function folded(summary: string, text: string): string {
  return [`<details><summary>${summary}</summary>`, fenced(text), '</details>'].join('\n\n');
}

/** The text unchanged, even if it contains fences. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;
}

/** One line without active markup. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

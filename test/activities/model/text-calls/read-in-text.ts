import { streamAnswer } from '../../../../activities/model/answer/stream-answer';
import { AnswerReader } from '../../../../activities/model/text-calls/answer-reader';
import type { ModelAdapter, ModelPart } from '../../../../agent/model/adapter';
import type { ModelAnswer } from '../../../../agent/model/answer';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { TOOLS } from './tools';

// It ships types for `import` only, which TypeScript rejects in a CommonJS file.
const { jsonrepair } = require('jsonrepair') as typeof import('jsonrepair', { with: { 'resolution-mode': 'import' }});

/** An adapter that yields these parts, each in its own turn. */
export function adapterOf(parts: readonly ModelPart[]): ModelAdapter {
  return {
    kind: 'test',
    provider: 'test',
    async *stream() {
      for (const part of parts) yield [[part]];
    },
  };
}

/** Reads an answer that arrives in pieces. */
export async function readInText(
  pieces: readonly string[],
  finish: ModelPart[] = [{ type: 'finish', reason: 'stop' }],
): Promise<{ answer: ModelAnswer; deltas: DeltaBody[] }> {
  const deltas: DeltaBody[] = [];
  const parts = [...pieces.map((text): ModelPart => ({ type: 'text', text })), ...finish];
  const answer = await streamAnswer({
    config: { model: 'm', adapter: adapterOf(parts) },
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 0 }],
    tools: TOOLS,
    inText: {},
    call: 1,
    signal: new AbortController().signal,
    onDelta: (delta) => deltas.push(delta),
  });
  return { answer, deltas };
}

/** The text or the thinking of an answer. */
export function said(answer: ModelAnswer, type: 'text' | 'reasoning'): string {
  return answer.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
}

/** What a reader of the stream has seen of it in the end. */
export function seen(deltas: readonly DeltaBody[]) {
  const shown = { text: '', reasoning: '', name: '', arguments: '' };
  for (const delta of deltas) {
    if (delta.type === 'stream.text') shown.text += delta.text;
    if (delta.type === 'stream.reasoning') shown.reasoning += delta.text;
    if (delta.type === 'stream.tool') {
      shown.name = delta.name;
      shown.arguments += delta.arguments;
    }
  }
  return shown;
}

/** What the parser alone makes of pieces. It repairs JSON without a limit of time, which a busy machine would reach. */
export function parsed(pieces: readonly string[]) {
  const reader = new AnswerReader(TOOLS, jsonrepair);
  const parts = pieces.flatMap((text) => reader.read([{ type: 'text', text }]));
  const rest = reader.isStopped ? [] : reader.read([{ type: 'finish', reason: 'stop' }]);
  const joined = { text: '', reasoning: '', name: '', arguments: '' };
  for (const part of [...parts, ...rest]) {
    if (part.type === 'text' || part.type === 'reasoning') joined[part.type] += part.text;
    if (part.type !== 'call') continue;
    joined.name += part.name ?? '';
    const { arguments: args = '' } = part;
    joined.arguments += typeof args === 'string' ? args : JSON.stringify(args);
  }
  return { ...joined, end: reader.call.end, written: reader.call.text };
}

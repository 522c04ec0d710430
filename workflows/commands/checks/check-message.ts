import type { Steer } from '../../../agent/conversation/messages';
import type { QuestionAnswer } from '../../../agent/conversation/questions';
import { HoldfastError } from '../../../agent/errors/error';
import { BYTES } from '../../../agent/limits';
import { type ContentPart, isContentPart } from '../../../agent/model/message';
import type { CompactRequest } from '../../../agent/protocol/calls/compaction';
import type { UndoRequest } from '../../../agent/protocol/commands/undo';
import { isJsonObject, type Json, jsonBytes, utf8Bytes } from '../../../agent/values/json';
import { isNestedDeeper, MAX_DEPTH } from '../../../agent/values/json-depth';
import { shorten } from '../../../agent/values/shorten';

/** Characters of an id, a name, a title, a reason: the history holds them, and lists show them. */
const MAX = { id: 200, by: 200, questionId: 100, toolUseId: 100, reason: 2000, title: 200, model: 200 } as const;

export function fail(problem: string): never {
  throw new HoldfastError('InvalidMessage', { problem });
}

/**
 * The fields of a command. All of them are known, and texts are short.
 * @throws HoldfastError `InvalidMessage`
 */
export function fieldsOf(given: unknown, known: readonly string[], example: string): { [field: string]: Json } {
  // A command without any fields: signals from the Web UI come without a payload.
  if (given === undefined || given === null) return {};
  if (!isJsonObject(given)) return fail(`Expected an object such as \`${example}\``);
  // The limit is that of each field: the object around them is one more level.
  if (isNestedDeeper(given, MAX_DEPTH + 1)) fail(`It is nested deeper than ${MAX_DEPTH} levels; send a flatter one`);
  const strange = Object.keys(given).find((field) => !known.includes(field));
  if (strange !== undefined) fail(`Unknown field \`${shorten(strange, 50)}\`; known are ${known.join(', ')}`);
  for (const [field, max] of Object.entries(MAX)) {
    const text = given[field];
    if (text === undefined) continue;
    if (typeof text !== 'string' || text.trim() === '') return fail(`Expected \`${field}\` to be a string`);
    if (text.length > max) fail(`Expected \`${field}\` to have at most ${max} characters, it has ${text.length}`);
  }
  return given as { [field: string]: Json };
}

/**
 * A message, checked for its form only: it may come before the agent is known.
 * @throws HoldfastError `InvalidMessage`
 */
export function checkMessage(given: unknown): Steer {
  const example = '{"text": "also check tax"}';
  const { text, parts, when } = fieldsOf(given, ['text', 'parts', 'id', 'by', 'when'], example);
  if ((text === undefined) === (parts === undefined))
    fail(`Expected either \`text\` or \`parts\`, such as \`${example}\``);
  if (text !== undefined && (typeof text !== 'string' || text.trim() === '')) fail('Expected `text` to be a string');
  if (
    parts !== undefined &&
    !(Array.isArray(parts) && parts.length > 0 && parts.every((part) => isContentPart(part) && hasOneSource(part)))
  ) {
    fail(
      'Expected `parts` to be a list of `{"type": "text", "text": …}` and `{"type": "media", "mediaType": …, "url": …}`',
    );
  }
  if (when !== undefined && when !== 'queue' && when !== 'now') fail('Expected `when` to be `queue` or `now`');
  const bytes = jsonBytes(given as Json);
  if (bytes > BYTES.message) {
    fail(`It is ${bytes} bytes, more than the limit of ${BYTES.message}; send less, and large media by \`url\``);
  }
  return given as Steer;
}

/** Media with two sources would be ambiguous: they may be two different pictures. */
function hasOneSource(part: ContentPart): boolean {
  return part.type === 'text' || (part.data === undefined) !== (part.url === undefined);
}

export function partsOf({ text = '', parts }: Steer): ContentPart[] {
  return parts ?? [{ type: 'text', text }];
}

/** Bytes of the text in a message, to be compared with the context window. */
export function textBytes(parts: readonly ContentPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'text' ? utf8Bytes(part.text) : 0), 0);
}

/** @throws HoldfastError `InvalidMessage` */
export function checkReply(given: unknown): QuestionAnswer {
  const example = '{"questionId": "t1.1", "answer": "blue"}';
  const fields = fieldsOf(given, ['questionId', 'answer', 'decline', 'reason', 'by'], example);
  const { questionId, answer, decline, reason } = fields;
  if (questionId === undefined) fail(`Expected \`questionId\`, such as in \`${example}\``);
  if (decline !== undefined && typeof decline !== 'boolean') fail('Expected `decline` to be true');
  if ((answer === undefined) === (decline !== true)) fail('Expected either `answer` or `"decline": true`');
  if (reason !== undefined && decline !== true) fail('A `reason` belongs to `"decline": true`');
  const bytes = answer === undefined ? 0 : jsonBytes(answer);
  if (bytes > BYTES.message) fail(`The answer is ${bytes} bytes, more than the limit of ${BYTES.message}`);
  if (decline !== false) return fields as unknown as QuestionAnswer;
  // It is an answer: without the field, since readers look only for its presence.
  const { decline: _, ...answered } = fields;
  return answered as unknown as QuestionAnswer;
}

/** Who sent a command, as its sender says. */
export interface Sender {
  by?: string;
}

/** A command that carries only its sender. @throws HoldfastError `InvalidMessage` */
export function checkSender(given: unknown): Sender {
  return fieldsOf(given, ['by'], '{"by": "ann"}') as Sender;
}

/** Effects that one request may undo: more are a mistake. */
const MAX_UNDO = 100;

/** @throws HoldfastError `InvalidMessage` */
export function checkUndo(given: unknown): UndoRequest {
  const fields = fieldsOf(given, ['count', 'toolUseId', 'by'], '{"count": 1}');
  const { count = 1, toolUseId } = fields;
  if (!(Number.isInteger(count) && Number(count) > 0 && Number(count) <= MAX_UNDO)) {
    fail(`Expected \`count\` to be a whole number from 1 to ${MAX_UNDO}`);
  }
  if (toolUseId !== undefined && fields.count !== undefined) fail('Expected `count` or `toolUseId`, not both');
  return fields as UndoRequest;
}

/** The alias of a model that a person wants. */
export interface ModelChoice extends Sender {
  model: string;
}

/** @throws HoldfastError `InvalidMessage` */
export function checkModelName(given: unknown): ModelChoice {
  const fields = fieldsOf(given, ['model', 'by'], '{"model": "house"}');
  if (fields.model === undefined) fail('Expected `model`, the alias of a model, such as in `{"model": "house"}`');
  return fields as unknown as ModelChoice;
}

/** Most messages that a request to compact may keep. */
const MAX_KEEP = 10_000;

/** @throws HoldfastError `InvalidMessage` */
export function checkCompact(given: unknown): CompactRequest {
  const fields = fieldsOf(given, ['keep', 'by'], '{"keep": 10, "by": "ann"}');
  const { keep = 1 } = fields;
  if (!(Number.isInteger(keep) && Number(keep) > 0 && Number(keep) <= MAX_KEEP)) {
    fail(`Expected \`keep\` to be a whole number from 1 to ${MAX_KEEP}`);
  }
  return fields as CompactRequest;
}

/** A title that a person gives a conversation. */
export interface GivenTitle extends Sender {
  title: string;
}

/** @throws HoldfastError `InvalidMessage` */
export function checkTitle(given: unknown): GivenTitle {
  const fields = fieldsOf(given, ['title', 'by'], '{"title": "the order of May"}');
  if (fields.title === undefined) fail('Expected `title`, such as in `{"title": "the order of May"}`');
  return fields as unknown as GivenTitle;
}

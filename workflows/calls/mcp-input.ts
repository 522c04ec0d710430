import type { Question, QuestionOutcome } from '../../agent/conversation/questions';
import type { InputRequired, ResumeTool } from '../../agent/protocol/calls/tool-call';
import type { JsonSchema } from '../../agent/protocol/manifest';
import type { BatchCall } from '../../agent/state/batch';
import { defined } from '../../agent/values/defined';
import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';

type Request = InputRequired['requests'][number];
type Answer = ResumeTool['answers'][number];

/** What a server asks for, as questions of its call. Their numbers continue over all rounds of the call. */
export function questionsOf(
  { toolUseId, questions = [] }: Pick<BatchCall, 'toolUseId' | 'questions'>,
  { requests }: InputRequired,
): Omit<Question, 'askedAt' | 'expiresAt'>[] {
  return requests.map(({ question, schema, url }, i) => {
    const number = questions.length + i + 1;
    const suggestions = schema === undefined ? [] : suggestionsOf(schema);
    return {
      questionId: number === 1 ? toolUseId : `${toolUseId}/${number}`,
      question,
      ...(suggestions.length === 0 ? {} : { suggestions }),
      ...defined({ schema, url }),
    };
  });
}

/** The answers of people in the form that the server wants; `replies` are in the order of its requests. */
export function resumeOf({ requests, state }: InputRequired, replies: readonly QuestionOutcome[]): ResumeTool {
  const answers = requests.map((request, i) => answerOf(request, replies[i]));
  return { answers, ...defined({ state }) };
}

function answerOf({ key, schema }: Request, reply: QuestionOutcome | undefined): Answer {
  if (reply?.action === 'declined') return { key, action: 'decline' };
  // The person did not decline: a server may ask again, or go on without an answer.
  if (reply?.action !== 'answered') return { key, action: 'cancel' };
  if (schema === undefined) return { key, action: 'accept' };
  const content = contentOf(schema, reply.data);
  return content === undefined ? { key, action: 'cancel' } : { key, action: 'accept', content };
}

/** A form with one field may be answered with the bare value. */
function contentOf(schema: JsonSchema, data: Json | undefined): JsonObject | undefined {
  if (isJsonObject(data)) return data;
  const [field, ...others] = fieldsOf(schema);
  return field === undefined || others.length > 0 || data === undefined ? undefined : { [field[0]]: data };
}

/** The options of a form whose only field is a choice. */
function suggestionsOf(schema: JsonSchema): string[] {
  const [field, ...others] = fieldsOf(schema);
  if (field === undefined || others.length > 0 || !isJsonObject(field[1])) return [];
  const { type, enum: values, oneOf } = field[1];
  if (type === 'boolean') return ['yes', 'no'];
  const choices = Array.isArray(oneOf) ? oneOf.map((one) => (isJsonObject(one) ? one.const : undefined)) : values;
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
}

function fieldsOf({ properties }: JsonSchema): [name: string, schema: Json][] {
  return isJsonObject(properties) ? Object.entries(properties) : [];
}

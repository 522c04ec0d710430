import type { JsonObject } from '../../agent/json';
import type { JsonSchema, ToolSpec } from '../../agent/manifest';
import { textOf } from '../../agent/message';
import type { ModelAnswer, ToolRequest, Usage } from '../../agent/model-answer';
import type { ModelConfig } from '../../agent/model-config';
import { checkAgainstSchema } from '../schema-check';
import type { AnswerDraft } from './answer-draft';
import { AnswerFault } from './answer-fault';
import type { CallDraft } from './call-drafts';
import { sentName } from './chat-messages';
import { hashOfInput, originOf, type ProviderData } from './provider-data';
import { parseArguments } from './tool-arguments';
import { executionUnitsOf } from './usage';

/** What the reasons of different servers come to; any other means an ordinary end. */
const FINISH: ReadonlyMap<string, 'length' | 'refused' | 'failed'> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'refused'],
  ['refusal', 'refused'],
  ['safety', 'refused'],
  ['error', 'failed'],
  ['insufficient_system_resource', 'failed'],
]);

export interface FinishArgs {
  config: ModelConfig;
  tools: readonly ToolSpec[];
  output?: JsonSchema | undefined;
  usage: Usage;
}

/**
 * Makes a decision of an answer that has arrived whole.
 * @throws AnswerFault where the answer has no end, or the model refused
 */
export function finishAnswer(draft: AnswerDraft, { config, tools, output, usage }: FinishArgs): ModelAnswer {
  const end = draft.full ? 'length' : endOf(draft);
  const text = textOf(draft);
  const toolRequests = draft.calls.list.map((call) => toolRequest(call, tools, end === 'length'));
  const answer: ModelAnswer = {
    type: toolRequests.length > 0 ? 'tool_call' : output !== undefined && isJson(text) ? 'json' : 'text',
    parts: draft.parts,
    toolRequests,
    finishReason: end === 'length' ? 'length' : toolRequests.length > 0 ? 'tool_calls' : 'stop',
    usage,
    executionUnits: executionUnitsOf(usage, config.prices),
    model: draft.model ?? config.model,
  };
  const data = providerData(draft, toolRequests, config, tools);
  if (data !== undefined) answer.providerData = data;
  return answer;
}

function endOf(draft: AnswerDraft): 'length' | 'stop' {
  if (draft.finish === undefined) {
    throw new AnswerFault(
      'unfinished',
      draft.choices === 0 ? 'the answer had no choices' : 'the stream ended without a finish_reason',
    );
  }
  const end = FINISH.get(draft.finish) ?? 'stop';
  if (end === 'refused' || draft.refusal !== '') throw new AnswerFault('refused', draft.refusal || draft.finish);
  if (end === 'failed') throw new AnswerFault('unfinished', `the stream ended with finish_reason ${draft.finish}`);
  return end;
}

function toolRequest(call: CallDraft, tools: readonly ToolSpec[], cut: boolean): ToolRequest {
  const { input, problem } = parseArguments(call.arguments);
  const request: ToolRequest = { name: call.name, input };
  if (call.id !== '') request.providerId = call.id;
  if (cut) {
    const message = 'The answer reached its greatest length before this call was whole. Make the call again, shorter.';
    request.problem = { type: 'AnswerCut', message };
  } else if (problem !== undefined) {
    request.problem = problem;
  } else {
    const tool = tools.find(({ modelName }) => modelName === call.name);
    const checked = tool === undefined ? ({ ok: true } as const) : checkAgainstSchema(tool.inputSchema, input);
    if (!checked.ok) request.problem = { type: 'InvalidArguments', message: checked.problem };
  }
  return request;
}

function providerData(
  draft: AnswerDraft,
  requests: readonly ToolRequest[],
  config: ModelConfig,
  tools: readonly ToolSpec[],
): JsonObject | undefined {
  const names = new Map(tools.map(({ modelName }) => [modelName, modelName]));
  const calls = draft.calls.list.flatMap(({ id, name, fields }, i) =>
    Object.keys(fields).length === 0
      ? []
      : [
          {
            ...(id === '' ? {} : { id }),
            name: sentName(name, names),
            input: hashOfInput(requests[i]?.input ?? {}),
            fields,
          },
        ],
  );
  const data: ProviderData = { origin: originOf(config) };
  if (Object.keys(draft.fields).length > 0) data.message = draft.fields;
  if (draft.reasoningField !== undefined) data.reasoning = draft.reasoningField;
  if (calls.length > 0) data.calls = calls;
  return Object.keys(data).length > 1 ? (data as unknown as JsonObject) : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

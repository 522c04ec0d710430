import type { CallProblem, ModelAnswer, ToolRequest } from '../../../agent/model/answer';
import type { ModelConfig } from '../../../agent/model/config';
import type { Spending } from '../../../agent/model/cost/spending';
import { textOf } from '../../../agent/model/message';
import type { NameRepair, RepairNames } from '../../../agent/model/names/name-repair';
import { repairName } from '../../../agent/model/names/repair-name';
import { sentName } from '../../../agent/model/sent-messages';
import { callCut } from '../../../agent/prompts/calls/refused-calls';
import type { JsonSchema, ToolSpec } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { type JsonObject, jsonBytes, utf8Bytes } from '../../../agent/values/json';
import { readOutput } from '../../output/read-output';
import { Turns } from '../../take-turns';
import { AnswerFault } from '../failures/answer-fault';
import type { AnswerDraft } from './draft';
import { originOf, type ProviderData } from './provider-data';
import { JsonRepair } from './repair-json';
import { endsInside, NOTHING_READ, readArguments, TOO_DEEP, unfinished } from './tool-arguments';

export interface FinishArgs {
  config: ModelConfig;
  tools: readonly ToolSpec[];
  output?: JsonSchema | undefined;
  /** How names of tools are repaired. Missing: they are not. */
  nameRepair?: RepairNames | undefined;
  /** It took as many tokens as an answer may have. */
  usedUp?: boolean;
  spending: Spending;
}

/**
 * Turns a complete answer into a decision.
 * @throws AnswerFault if the answer has no end, or the model refused
 */
export async function finishAnswer(draft: AnswerDraft, args: FinishArgs): Promise<ModelAnswer> {
  const { config, tools, output, nameRepair, usedUp, spending } = args;
  // vLLM names the calls as the end even where the last one was cut.
  const isCutCall = usedUp && draft.calls.list.at(-1)?.end.isWhole === false;
  const end = draft.full || isCutCall ? 'length' : endOf(draft);
  const text = textOf(draft);
  const toolRequests = await requestsOf(draft, toolFinder(tools, nameRepair), end === 'length');
  const answer: ModelAnswer = {
    type:
      toolRequests.length > 0
        ? 'tool_call'
        : output !== undefined && readOutput(text, output).type === 'json'
          ? 'json'
          : 'text',
    parts: draft.parts,
    toolRequests,
    finishReason: end === 'length' ? 'length' : toolRequests.length > 0 ? 'tool_calls' : 'stop',
    ...spending,
    model: draft.model ?? config.model,
  };
  const data = providerData(draft, toolRequests, config, tools);
  if (data !== undefined) answer.providerData = data;
  return answer;
}

function endOf({ finish, refusal, answers }: AnswerDraft): 'length' | 'stop' {
  if (finish === undefined) {
    throw new AnswerFault('unfinished', answers === 0 ? 'the answer was empty' : 'the answer was broken off');
  }
  const { reason, said = reason } = finish;
  if (reason === 'refused' || refusal !== '') throw new AnswerFault('refused', refusal || said);
  if (reason === 'failed') throw new AnswerFault('unfinished', `the answer ended with \`${said}\``);
  return reason;
}

/** Share of the maximum size by which arguments may grow when they are parsed: `1e20` is sent on as 21 digits. */
const GROWTH = 0.25;
/**
 * Calls of an answer whose arguments may be too expensive to check, a second each; later ones are not checked at all.
 */
const MAX_UNCHECKED = 3;

/** Finds the tool of a name that the model wrote. */
type ToolFinder = (name: string) => { tool?: ToolSpec; repair?: NameRepair };

function toolFinder(tools: readonly ToolSpec[], nameRepair: RepairNames | undefined): ToolFinder {
  const byName = new Map(tools.map((tool) => [tool.modelName, { tool }]));
  return (name) => byName.get(name) ?? (nameRepair && repairName(name, tools, nameRepair)) ?? {};
}

async function requestsOf(draft: AnswerDraft, find: ToolFinder, isCut: boolean): Promise<ToolRequest[]> {
  const repair = new JsonRepair();
  const requests: ToolRequest[] = [];
  const unchecked: CallProblem[] = [];
  const turns = new Turns();
  let growth = 0;
  let rawGrowth = 0;
  for (const { id, name, arguments: raw, isTooDeep, end } of draft.calls.list) {
    const began = performance.now();
    const { tool, repair: repaired } = find(name);
    const isGivenUp = tool?.kind === 'mcp' && unchecked.length >= MAX_UNCHECKED;
    // The rest of the answer may be lost without a word: what changes something is not called with half of its arguments.
    const isHalf = tool !== undefined && tool.effect !== 'read' && !end.isWhole && endsInside(raw, repair);
    const read = isTooDeep
      ? TOO_DEEP
      : isHalf
        ? unfinished(raw)
        : await readArguments(raw, isGivenUp ? undefined : tool, repair);
    if (read.unchecked && read.problem) unchecked.push(read.problem);
    growth += Math.max(0, jsonBytes(read.input) + jsonBytes(read.problem) - utf8Bytes(raw));
    const isOver = growth > GROWTH * draft.maxBytes;
    const { input, hash, problem = isGivenUp ? unchecked.at(-1) : undefined } = isOver ? NOTHING_READ : read;
    // As JSON, text of control characters takes six times its size. What people read must not cost the model a call.
    rawGrowth += Math.max(0, jsonBytes(read.rawInput) - utf8Bytes(raw));
    const rawInput = growth + rawGrowth > GROWTH * draft.maxBytes ? undefined : read.rawInput;
    const why = isCut || isOver ? CUT : problem;
    requests.push({
      name: tool?.modelName ?? name,
      ...defined({ repaired }),
      input,
      hash,
      ...(id === '' ? {} : { providerId: id }),
      ...defined({ problem: why, rawInput }),
    });
    await turns.take(began);
  }
  return requests;
}

const CUT: CallProblem = {
  type: 'AnswerCut',
  message: callCut(),
};

function providerData(
  draft: AnswerDraft,
  requests: readonly ToolRequest[],
  config: ModelConfig,
  tools: readonly ToolSpec[],
): JsonObject | undefined {
  const names = new Map(tools.map(({ modelName }) => [modelName, modelName]));
  // Reasoning keeps its data with its text.
  const lastThought = draft.parts.findLastIndex((part) => part.type === 'reasoning' && part.providerData !== undefined);
  const calls = draft.calls.list.flatMap(({ id, name, fields, after }, i) => {
    const isBefore = after <= lastThought;
    if (Object.keys(fields).length === 0 && !isBefore) return [];
    return [
      {
        ...(id === '' ? {} : { id }),
        name: sentName(requests[i]?.name ?? name, names),
        input: requests[i]?.hash ?? '',
        fields,
        ...(isBefore ? { after } : {}),
      },
    ];
  });
  const data: ProviderData = { origin: originOf(config) };
  if (Object.keys(draft.fields).length > 0) data.message = draft.fields;
  if (draft.reasoningField !== undefined) data.reasoning = draft.reasoningField;
  if (calls.length > 0) data.calls = calls;
  return lastThought >= 0 || Object.keys(data).length > 1 ? (data as unknown as JsonObject) : undefined;
}

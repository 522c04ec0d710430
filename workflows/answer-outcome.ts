import { ACTIVITY, type CheckAnswerInput, type SchemaVerdict } from '../agent/activities';
import type { Grant } from '../agent/approval';
import { isJsonObject, type Json, jsonBytes } from '../agent/json';
import { BYTES } from '../agent/limits';
import type { ServiceAnswer } from '../agent/state';
import type { ToolOutcome } from '../agent/tool-call';
import { errorOutcome } from '../agent/tool-outcome';
import { outcomeOf, partsOf } from '../agent/tool-result';
import { writeGrants } from './approve';
import { runLocal } from './local';
import type { Run } from './run';
import type { ServiceCall } from './service-call';

/** Type of the events that ask a person which tools may be run. */
const TOOL_APPROVAL = 'com.tool.approval';

/** What the model is told of an answer: an answer that breaks its contract is an error that names what fails. */
export async function answerOutcome(run: Run, served: ServiceCall, answer: ServiceAnswer): Promise<ToolOutcome> {
  const { tool, service } = served;
  const { contract } = service;
  const name = `\`${tool.modelName}\``;
  const invalid = (problem: string) =>
    errorOutcome('InvalidAnswer', `The answer of ${name} breaks its contract: ${problem}`);
  const { type, error, data = null, dataschema } = answer;
  if (error !== undefined) return errorOutcome('ServiceFailed', `${name} failed: ${error.slice(0, 2000)}`);
  if (type === contract.systemError) return errorOutcome('ServiceFailed', `${name} failed: ${systemErrorText(data)}`);
  const schema = `${contract.uri}/${contract.version}`;
  if (dataschema !== undefined && dataschema !== schema)
    return invalid(`it is of \`${dataschema}\`, expected \`${schema}\`.`);
  const bytes = jsonBytes(data);
  if (bytes > BYTES.result) {
    return errorOutcome(
      'ResultTooLarge',
      `The answer of ${name} is ${bytes} bytes, at most ${BYTES.result} can be kept.`,
    );
  }
  const verdict = await checked(run, served, type, data);
  if (!verdict.ok) return invalid(verdict.problem);
  if (contract.accepts === TOOL_APPROVAL) await takeApprovals(run, data);
  return outcomeOf(partsOf(data), run.state.manifest?.limits.maxResultChars ?? Number.MAX_SAFE_INTEGER, tool.modelName);
}

function checked(run: Run, { call, tool, service }: ServiceCall, type: string | undefined, data: Json) {
  // The contract of an agent without an output schema has its text as `response`.
  const shown = service.way === 'agent' && typeof data === 'string' ? { response: data } : data;
  const input: CheckAnswerInput = {
    pin: run.pin,
    name: tool.name,
    data: shown,
    ...(type === undefined ? {} : { type }),
  };
  return runLocal<SchemaVerdict>(ACTIVITY.checkAnswer, input, `${call.toolUseId}: check the answer`, run.bytes);
}

function systemErrorText(data: Json): string {
  if (!isJsonObject(data)) return 'it gave no reason';
  const { errorName = 'Error', errorMessage = '' } = data;
  return `${String(errorName)}: ${String(errorMessage)}`.slice(0, 2000);
}

/** Decisions of a person about whole tools, taken before the run goes on. */
async function takeApprovals(run: Run, data: Json): Promise<void> {
  const approvals = isJsonObject(data) && Array.isArray(data.approvals) ? data.approvals : [];
  const tools = run.state.manifest?.tools ?? [];
  const grants = approvals.flatMap((given): Grant[] => {
    if (!isJsonObject(given)) return [];
    const { tool: asked, value, comments } = given;
    const tool = tools.find(({ name, modelName }) => name === asked || modelName === asked);
    if (tool === undefined) return [];
    // Who answered is not known: of tools that name who decides it may deny, not grant.
    if (value === true && tool.approval?.deciders !== undefined) return [];
    const comment = typeof comments === 'string' ? { comment: comments } : {};
    return [{ tool: tool.name, key: '', allowed: value === true, by: 'tool.approval', at: Date.now(), ...comment }];
  });
  if (grants.length === 0) return;
  run.apply({ type: 'granted', grants });
  await writeGrants(run, grants);
}

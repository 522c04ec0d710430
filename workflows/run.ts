import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { HoldfastError } from '../agent/error';
import type { Fact } from '../agent/fact';
import { isJsonObject, jsonBytes } from '../agent/json';
import { BYTES } from '../agent/limits';
import { NO_USAGE } from '../agent/model-answer';
import type { AgentState, RunInput } from '../agent/state';
import { EMPTY_HASH, TranscriptIndex } from '../agent/transcript';
import { ByteBudget } from './byte-budget';
import { type StepInput, step } from './step';

/** One run in the memory of its workflow: the state, the facts told so far, and what is derived from them. */
export class Run {
  readonly facts: Fact[] = [];
  readonly index = new TranscriptIndex();
  readonly bytes = new ByteBudget();

  constructor(public state: AgentState) {}

  /** The one way in which a run changes. */
  apply(input: StepInput): void {
    const { state, facts } = step(this.state, input);
    const { exchange } = state;
    const time = Date.now();
    const before = this.state.facts;
    facts.forEach((fact, i) => {
      this.facts.push({ ...fact, seq: before + i + 1, time, exchange });
    });
    this.state = { ...state, facts: before + facts.length };
  }
}

/** A run at its start. The caller's input is checked for its form only: its schema is known to the worker. */
export function openRun(given: unknown): Run {
  const { workflowId: id, workflowType: agent, firstExecutionRunId: firstRunId } = workflowInfo();
  const { input = null, owner, metadata = {} } = checkForm(agent, given);
  return new Run({
    version: 1,
    id,
    agent,
    firstRunId,
    input,
    ...(owner === undefined ? {} : { owner }),
    metadata,
    epoch: 0,
    exchange: 1,
    lifecycle: 'init',
    turn: 0,
    toolInteractions: { current: 0, max: 0 },
    concluding: false,
    messages: [],
    sent: { epoch: 0, length: 0, hash: EMPTY_HASH },
    awaiting: [],
    toolTypeCounts: {},
    unknownOutcomes: [],
    usage: NO_USAGE,
    executionUnits: 0,
    facts: 0,
  });
}

const FIELDS = ['input', 'owner', 'metadata'];

function checkForm(agent: string, given: unknown): RunInput {
  const fail = (problem: string): never => {
    throw failureOf(new HoldfastError('InvalidInput', { agent, problem }));
  };
  if (!isJsonObject(given)) return fail('Expected one argument `{"input": …, "owner"?: …, "metadata"?: {…}}`');
  const strange = Object.keys(given).find((key) => !FIELDS.includes(key));
  if (strange !== undefined) fail(`There is no field \`${strange}\`; the agent's own input belongs under \`input\``);
  if (given.owner !== undefined && typeof given.owner !== 'string') fail('Expected `owner` to be a text');
  if (given.metadata !== undefined && !isJsonObject(given.metadata)) fail('Expected `metadata` to be an object');
  const bytes = jsonBytes(given.input);
  if (bytes > BYTES.input) {
    fail(`It is ${bytes} bytes, at most ${BYTES.input} are possible; pass a reference to larger data`);
  }
  if (jsonBytes(given.metadata) > BYTES.metadata) fail(`\`metadata\` is over ${BYTES.metadata} bytes`);
  return given as RunInput;
}

/** An error of ours as the failure of a workflow: its type and data stay readable for every client. */
export function failureOf(error: HoldfastError): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.type,
    message: error.message,
    details: [error.data],
    nonRetryable: true,
  });
}

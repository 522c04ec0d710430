import {
  currentUpdateInfo,
  defineSignal,
  defineUpdate,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { CALL_SPENT, type CallSpent, isCallSpent } from '../../agent/protocol/calls/call-spent';
import { COMMAND } from '../../agent/protocol/commands/command';
import type { CarriedUpdate } from '../../agent/state/carried/carried';
import type { AgentState } from '../../agent/state/state';
import { type Json, type JsonObject, jsonBytes } from '../../agent/values/json';
import { shorten } from '../../agent/values/shorten';
import { readable } from '../../agent/values/unreadable';
import { failureOf, orFailure } from '../run/failures';
import type { Run } from '../run/run';
import { answerQuestion } from './answer-question';
import { checkDecision } from './checks/check-decision';
import {
  checkCompact,
  checkMessage,
  checkModelName,
  checkReply,
  checkSender,
  checkTitle,
  checkUndo,
} from './checks/check-message';
import { checkRaise } from './checks/check-raise';
import { type Answered, answerOfEvent, answerOfToolResult } from './checks/check-service-answer';
import { compact } from './compact';
import { close, interrupt, regenerate, rename } from './conversation';
import { decideApproval } from './decide-approval';
import { send, steer } from './queue-and-steer';
import { raiseBudget } from './raise-budget';
import { retry } from './retry';
import { type Command, commandOf, settleCommand, whenReady } from './settle-command';
import { switchModel } from './switch-model';
import { undo } from './undo';

const COMMANDS: {
  readonly [Name in Exclude<keyof typeof COMMAND, 'toolResult' | 'serviceAnswer' | 'continueAsNew'>]: Command;
} = {
  send: commandOf({
    says: 'Send a message: {"text": "…", "id": "m1", "by": "ann"}',
    check: checkMessage,
    settle: send,
    needsAgent: true,
  }),
  steer: commandOf({
    says: 'Send a message during an answer: {"text": "…", "when": "queue" or "now"}',
    check: checkMessage,
    settle: steer,
    needsAgent: true,
  }),
  answer: commandOf({
    says: 'Answer a question: {"questionId": "t1.1", "answer": …} or {"questionId": "t1.1", "decline": true}',
    check: checkReply,
    settle: answerQuestion,
  }),
  interrupt: commandOf({
    says: 'Stop the answer in progress: {"by": "ann"}',
    check: checkSender,
    settle: interrupt,
    needsAgent: true,
  }),
  retry: commandOf({
    says: 'Retry a model that does not answer, at once: {"by": "ann"}',
    check: checkSender,
    settle: retry,
    needsAgent: true,
  }),
  switchModel: commandOf({
    says: 'Use another model from the next call on: {"model": "house", "by": "ann"}',
    check: checkModelName,
    settle: switchModel,
    needsAgent: true,
  }),
  compact: commandOf({
    says: 'Replace old messages by a summary, as the agent is set: {"keep": 10, "by": "ann"}',
    check: checkCompact,
    settle: compact,
    needsAgent: true,
  }),
  raiseBudget: commandOf({
    says: 'Raise limits of the budget: {"tokens": 200000, "by": "ann"}',
    check: checkRaise,
    settle: raiseBudget,
    needsAgent: true,
  }),
  regenerate: commandOf({
    says: 'Regenerate the last answer: {"by": "ann"}',
    check: checkSender,
    settle: regenerate,
    needsAgent: true,
  }),
  undo: commandOf({
    says: 'Undo what tools did: {"count": 1} or {"toolUseId": "t1.1"}',
    check: checkUndo,
    settle: undo,
  }),
  rename: commandOf({ says: 'Name the conversation: {"title": "…"}', check: checkTitle, settle: rename }),
  close: commandOf({
    says: 'End the conversation after the waiting messages: {"by": "ann"}',
    check: checkSender,
    settle: close,
    needsAgent: true,
  }),
  approve: commandOf({
    says: 'Let a call run: {"toolUseId": "t1.1", "by": "ann"}',
    check: (given) => checkDecision('approve', given),
    settle: decideApproval,
  }),
  deny: commandOf({
    says: 'Keep a call from running: {"toolUseId": "t1.1", "by": "ann", "reason": "…"}',
    check: (given) => checkDecision('deny', given),
    settle: decideApproval,
  }),
  edit: commandOf({
    says: 'Let a call run with other arguments: {"toolUseId": "t1.1", "by": "ann", "input": {…}}',
    check: (given) => checkDecision('edit', given),
    settle: decideApproval,
  }),
};

/** The answers of services: by signal only. */
const ANSWERS: { readonly [name: string]: { says: string; read(state: AgentState, given: unknown): Answered } } = {
  [COMMAND.toolResult]: {
    says: 'Answer a call: {"toolUseId": "t1.1", "data": …} or {"toolUseId": "t1.1", "error": "…"}',
    read: answerOfToolResult,
  },
  [COMMAND.serviceAnswer]: { says: 'Answer a call by the CloudEvent of its service', read: answerOfEvent },
};

/** Takes what people say by update or signal, and the answers of services by signal. Invalid signals are counted. */
export function takeCommands(run: Run): void {
  const receive = (name: string, given?: unknown) => receiveSignal(run, name, given);
  // First, and for all names: signals from before this task are delivered here in their order, not grouped by name.
  setDefaultSignalHandler(receive);
  for (const [name, command] of Object.entries(COMMANDS)) {
    const { says: description, read } = command;
    setHandler(defineUpdate<unknown, [unknown]>(name), (given) => verdictOf(run, command, given), {
      validator: (given) => orFailure(() => void read(readable(given, `the update \`${name}\``))),
      description,
    });
  }
  for (const [name, { says: description }] of Object.entries({ ...COMMANDS, ...ANSWERS })) {
    setHandler(defineSignal<[unknown]>(name), (given) => receive(name, given), { description });
  }
}

/** A signal has no reply: an invalid one is counted, and a fact reports it. */
async function receiveSignal(run: Run, name: string, given: unknown): Promise<void> {
  run.messages++;
  try {
    readable(given, `the signal \`${shorten(name, MAX_NAME)}\``);
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name as keyof typeof COMMANDS] : undefined;
    const answer = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
    if (command !== undefined) await settleCommand(run, command, given);
    else if (answer !== undefined) await whenReady(run, {}, () => takeAnswer(run, answer.read(run.state, given)));
    else if (name === COMMAND.continueAsNew) run.nudged = true;
    else if (name === CALL_SPENT && isCallSpent(given)) hearSpending(run, given);
    else ignoreUnknown(run, name);
  } catch (error) {
    ignore(run, error, given);
  }
}

/** A call that has ended has told it all. */
function hearSpending({ modelCall, summaryCall }: Run, { call, spent }: CallSpent): void {
  for (const paid of [modelCall, summaryCall]) if (paid?.id === call) paid.spent = spent;
}

/**
 * Fails only this update: a plain error in a handler would end the whole run. The task that accepts the update repeats
 * its payload beside the verdict.
 */
async function verdictOf(run: Run, command: Command, given: unknown): Promise<unknown> {
  run.messages++;
  run.bytes.count(jsonBytes(given));
  const id = currentUpdateInfo()?.id ?? '';
  const before = run.updates.find((update) => update.id === id);
  if (before !== undefined) return verdictAgain(run.state.id, before);
  try {
    const verdict = await settleCommand(run, command, given);
    run.bytes.count(jsonBytes(verdict));
    run.updates.push({ id, value: (verdict ?? null) as Json });
    return verdict;
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    run.updates.push({ id, error: { type: error.type, message: error.message, data: error.data as JsonObject } });
    throw failureOf(error);
  }
}

/** An update that an earlier history has settled, and whose sender repeats it because the reply was lost. */
function verdictAgain(id: string, before: CarriedUpdate): Json {
  if ('value' in before) return before.value;
  if ('dropped' in before) throw failureOf(new HoldfastError('AlreadyApplied', { id }));
  const { type, message, data } = before.error;
  throw failureOf(HoldfastError.revive(type, message, data));
}

function takeAnswer(run: Run, answered: Answered): void {
  if ('why' in answered) run.apply({ type: 'ignored', ...answered });
  else run.apply({ type: 'serviceAnswered', ...answered, at: Date.now() });
}

/** Characters of a signal's name that are kept. A name may have 1,000. */
const MAX_NAME = 100;

function ignoreUnknown(run: Run, name: string): void {
  if (run.over) return;
  const signal = shorten(name, MAX_NAME);
  run.apply({ type: 'ignored', why: 'UnknownSignal', detail: `There is no signal \`${signal}\``, signal });
}

function ignore(run: Run, error: unknown, given: unknown): void {
  if (!(error instanceof HoldfastError)) throw error;
  if (run.over) return;
  const id = typeof given === 'object' && given !== null && 'toolUseId' in given ? given.toolUseId : undefined;
  run.apply({
    type: 'ignored',
    why: error.type,
    detail: error.message.slice(0, 500),
    ...(typeof id === 'string' ? { toolUseId: id.slice(0, 100) } : {}),
  });
}

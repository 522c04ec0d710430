import { defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import { MESSAGE } from '../agent/activities';
import { HoldfastError } from '../agent/error';
import { answerQuestion } from './answer-question';
import { type Answered, answerOfEvent, answerOfToolResult } from './answers';
import { checkReply, checkSaid, checkSender, checkTitle, checkUndo } from './check-said';
import { decide } from './decisions';
import { checkDecision } from './judge-decision';
import type { Run } from './run';
import { failureOf } from './run';
import { close, interrupt, regenerate, rename, send, steer } from './talk';
import { undo } from './undo';

/** Something that a run can be told, by an update that is answered or by a signal that is not. */
interface Message {
  /** What the Web UI shows beside the name. */
  says: string;
  /** Looks at the form alone: an update that fails here leaves nothing in history. */
  check(given: unknown): unknown;
  take(run: Run, given: unknown): Promise<unknown>;
}

const MESSAGES: { readonly [Name in Exclude<keyof typeof MESSAGE, 'toolResult' | 'serviceAnswer'>]: Message } = {
  send: { says: 'Say something: {"text": "…", "id": "m1", "by": "ann"}', check: checkSaid, take: send },
  steer: {
    says: 'Say something in the midst of an answer: {"text": "…", "when": "queue" or "now"}',
    check: checkSaid,
    take: steer,
  },
  answer: {
    says: 'Answer a question: {"questionId": "t1.1", "answer": …} or {"questionId": "t1.1", "decline": true}',
    check: checkReply,
    take: answerQuestion,
  },
  interrupt: { says: 'Stop the answer under way: {"by": "ann"}', check: checkSender, take: interrupt },
  regenerate: { says: 'Have the last answer made anew: {"by": "ann"}', check: checkSender, take: regenerate },
  undo: { says: 'Take back what tools did: {"count": 1} or {"toolUseId": "t1.1"}', check: checkUndo, take: undo },
  rename: { says: 'Name the conversation: {"title": "…"}', check: checkTitle, take: rename },
  close: { says: 'End the conversation after the messages that wait: {"by": "ann"}', check: checkSender, take: close },
  approve: {
    says: 'Let a call run: {"toolUseId": "t1.1", "by": "ann"}',
    check: (given) => checkDecision('approve', given),
    take: (run, given) => decide(run, 'approve', given),
  },
  deny: {
    says: 'Keep a call from running: {"toolUseId": "t1.1", "by": "ann", "reason": "…"}',
    check: (given) => checkDecision('deny', given),
    take: (run, given) => decide(run, 'deny', given),
  },
  edit: {
    says: 'Let a call run with other arguments: {"toolUseId": "t1.1", "by": "ann", "input": {…}}',
    check: (given) => checkDecision('edit', given),
    take: (run, given) => decide(run, 'edit', given),
  },
};

/** What a run can be told: by update or signal what persons say, by signal the answers of services. A wrong signal is counted. */
export function takeMessages(run: Run): void {
  for (const [name, { says: description, check, take }] of Object.entries(MESSAGES)) {
    setHandler(defineUpdate<unknown, [unknown]>(name), (given) => refused(() => take(run, given)), {
      validator: (given) => refusedAtOnce(() => check(given)),
      description,
    });
    const signalled = (given: unknown) => take(run, given).then(noAnswer, (error) => ignore(run, error, given));
    setHandler(defineSignal<[unknown]>(name), signalled, { description });
  }
  setHandler(defineSignal<[unknown]>(MESSAGE.toolResult), (given) => hear(run, answerOfToolResult(run.state, given)), {
    description: 'Answer a call: {"toolUseId": "t1.1", "data": …} or {"toolUseId": "t1.1", "error": "…"}',
  });
  setHandler(defineSignal<[unknown]>(MESSAGE.serviceAnswer), (given) => hear(run, answerOfEvent(run.state, given)), {
    description: 'Answer a call by the CloudEvent of its service',
  });
}

function noAnswer(): void {}

/** Only this update fails: a plain error in a handler would end the whole run. */
async function refused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HoldfastError ? failureOf(error) : error;
  }
}

function refusedAtOnce(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw error instanceof HoldfastError ? failureOf(error) : error;
  }
}

function hear(run: Run, answered: Answered): void {
  if ('why' in answered) run.apply({ type: 'ignored', ...answered });
  else run.apply({ type: 'serviceAnswered', ...answered });
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

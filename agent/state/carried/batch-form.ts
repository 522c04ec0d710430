import type { Remember, RuleVerdict } from '../../approvals/approval';
import type { RunReport } from '../../budget/report';
import type { QuestionOutcome, QuestionState } from '../../conversation/questions';
import type { CallProblem } from '../../model/answer';
import type { ToolErrorType, ToolOutcome } from '../../protocol/calls/tool-call';
import type { UndoEntry } from '../../protocol/commands/undo';
import {
  anyName,
  type Form,
  flag,
  json,
  jsonObject,
  listOf,
  maybe,
  number,
  objectOf,
  oneOf,
  text,
  withStatus,
  yes,
} from '../../values/form';
import type { AwaitedService, ServiceAnswer, ServiceRequest } from '../awaited-service';
import type { ApprovalOutcome, ApprovalQuestion, ApprovalState, BatchCall, CallFacts, EditedArguments } from '../batch';
import { contentParts } from './message-form';
import { REPORT } from './spending-form';

export const ruled = objectOf<RuleVerdict>({ needed: flag, key: text });

export const problem = objectOf<CallProblem>({ type: anyName, message: text });

export const decision: Form<ApprovalOutcome['decision']> = oneOf({
  approve: true,
  deny: true,
  edit: true,
  expired: true,
});

const approvalQuestion = objectOf<ApprovalQuestion>({
  hash: text,
  key: text,
  requestedAt: number,
  expiresAt: maybe(number),
  deciders: maybe(listOf(text)),
  escalated: maybe(yes),
  repeats: maybe(text),
  grantsUnread: maybe(yes),
});

const approvalOutcome = objectOf<ApprovalOutcome>({
  decision,
  by: maybe(text),
  at: number,
  comment: maybe(text),
  remember: maybe(oneOf<Remember>({ once: true, run: true, agent: true })),
  edit: maybe(objectOf<EditedArguments>({ input: jsonObject, hash: text, key: text })),
});

const approval = withStatus<ApprovalState, ApprovalQuestion>(approvalQuestion, {
  asked: objectOf<object>({}),
  decided: objectOf<{ decision: ApprovalOutcome }>({ decision: approvalOutcome }),
});

export const action: Form<QuestionOutcome['action']> = oneOf({
  answered: true,
  declined: true,
  expired: true,
  withdrawn: true,
});

const question = objectOf<QuestionState>({
  questionId: text,
  question: text,
  suggestions: maybe(listOf(text)),
  schema: maybe(jsonObject),
  url: maybe(text),
  askedAt: number,
  expiresAt: maybe(number),
  reply: maybe(objectOf<QuestionOutcome>({ action, data: maybe(json), by: maybe(text), at: number })),
});

const serviceRequest = objectOf<ServiceRequest>({
  ref: text,
  kind: oneOf<AwaitedService['kind']>({ child: true, agent: true, event: true, signal: true }),
  since: number,
  expiresAt: maybe(number),
  domain: maybe(text),
});

const serviceAnswer = objectOf<ServiceAnswer>({
  type: maybe(text),
  dataschema: maybe(text),
  data: maybe(json),
  error: maybe(text),
  executionUnits: maybe(number),
  spent: maybe(objectOf<RunReport>(REPORT)),
});

const service = withStatus<AwaitedService, ServiceRequest>(serviceRequest, {
  awaited: objectOf<object>({}),
  answered: objectOf<{ answer: ServiceAnswer; answeredAt: number }>({ answer: serviceAnswer, answeredAt: number }),
});

/** `needs`, `full` and `progress` of an outcome are not part of any state. */
const outcome = objectOf<Pick<ToolOutcome, 'content' | 'error'>>({
  content: contentParts,
  error: maybe(objectOf<{ type: ToolErrorType; message: string }>({ type: anyName, message: text })),
});

const callFacts = objectOf<CallFacts>({
  toolUseId: text,
  name: text,
  input: jsonObject,
  hash: text,
  ruled: maybe(ruled),
  lane: maybe(text),
  approval: maybe(approval),
  questions: maybe(listOf(question)),
  service: maybe(service),
});

export const calls: Form<BatchCall[]> = listOf(
  withStatus<BatchCall, CallFacts>(callFacts, {
    open: objectOf<object>({}),
    rejected: objectOf<{ problem: CallProblem }>({ problem }),
    settled: objectOf<{ outcome: ToolOutcome }>({ outcome }),
  }),
);

export const effects: Form<UndoEntry[]> = listOf(
  objectOf<UndoEntry>({
    toolUseId: text,
    name: text,
    inverse: maybe(
      objectOf<NonNullable<UndoEntry['inverse']>>({ input: jsonObject, hash: text, content: contentParts }),
    ),
    undone: maybe(
      objectOf<NonNullable<UndoEntry['undone']>>({
        by: maybe(text),
        at: number,
        outcome: maybe(oneOf({ done: true, failed: true, unknown: true })),
      }),
    ),
  }),
);

import { TranscriptIndex } from '../../../../agent/model/transcript';
import { planCalls } from '../../../../agent/plan/plan-calls';
import type { BatchCall } from '../../../../agent/state/batch';
import { hashOfArguments } from '../../../../runtime/sha256';
import type { StepInput } from '../../../../workflows/state/reduce';
import { openQuestions } from '../../../../workflows/state/selectors/questions';
import { modelAnswer } from '../../state-data';
import { type RandomRun, TOOLS } from './random-run';

type Event = (run: RandomRun, size: number) => void;

/** An event on the first open call that `fits`, starting with the one that `size` chooses. */
function onCall(fits: (call: BatchCall) => boolean, inputs: (call: BatchCall, size: number) => StepInput[]): Event {
  return (run, size) => {
    const call = run.open(size).find(fits);
    if (call !== undefined) run.apply(...inputs(call, size));
  };
}

/** An event that needs a model call in progress and ends it. */
function onAnswer(event: Event): Event {
  return (run, size) => {
    if (!run.thinking) return;
    run.thinking = false;
    event(run, size);
  };
}

const waitsForPerson = ({ approval }: BatchCall) => approval?.status === 'asked';
const error = { type: 'ModelUnavailable', message: 'gone' };
const by = 'ann';

/** Everything that may happen, in any order. Events that make no sense in a state do nothing. */
export const EVENTS = {
  send: (run, size) => {
    const exchange = (run.state.inbox.at(-1)?.exchange ?? run.state.exchange) + 1;
    const message = {
      parts: [{ type: 'text' as const, text: 'hello' }],
      exchange,
      at: 5,
      id: `${run.state.facts % 9}`,
      by,
    };
    run.apply({ type: 'received', message, ahead: size });
  },
  steer: (run, size) => {
    const message = { parts: [{ type: 'text' as const, text: 'also' }], exchange: run.state.exchange, at: 5 };
    if (run.state.phase.at !== 'idle') run.apply({ type: 'steered', message, when: size === 0 ? 'queue' : 'now' });
  },
  begin: (run) => {
    if (run.state.phase.at === 'idle' && run.state.inbox.length > 0) run.apply({ type: 'exchangeBegun' });
  },
  call: (run) => {
    const { phase, batch } = run.state;
    if (phase.at !== 'working' || run.thinking || batch.length > 0) return;
    run.apply(
      { type: 'calling' },
      { type: 'sent', transcript: new TranscriptIndex().ref(run.state.messages, run.state.epoch) },
    );
    run.thinking = true;
  },
  say: onAnswer((run) => {
    const answer = modelAnswer({ text: 'an answer' });
    run.apply({ type: 'answered', answer }, { type: 'completed', data: { is: 'an answer' }, text: 'an answer' });
  }),
  act: onAnswer((run, size) => {
    const requests = [...TOOLS, { modelName: 'no_tool' }]
      .filter((_, i) => (size >> i) % 2 === 1)
      .map(({ modelName: name }, i) => ({ name, input: { i }, approval: { needed: true, key: `by:${i}` } }));
    const answer = modelAnswer({ requests, text: 'first' });
    run.apply({ type: 'answered', answer });
    const plan = planCalls(answer.toolRequests, run.state);
    if (requests.length > 0) run.apply({ type: 'acting', answer, plan });
    if (run.state.batch.length > 0 && run.open(0).length === 0) run.apply({ type: 'batchSettled' });
  }),
  reject: onAnswer((run) => run.apply({ type: 'outputRejected', answer: modelAnswer({ text: '?' }), error: 'no' })),
  noCall: onAnswer((run) =>
    run.apply({ type: 'noCall', answer: modelAnswer({ text: '?' }), missed: { reminder: 'call', in: 'message' } }),
  ),
  remind: onAnswer((run) => {
    const fault = { type: 'ParseError' as const, message: 'no' };
    const missed = { reminder: 'call', in: 'call' as const, fault };
    run.apply({ type: 'noCall', answer: modelAnswer({ text: '?', callFault: fault }), missed });
  }),
  measure: (run, size) => {
    const budget = {
      turn: run.state.turn,
      used: size,
      system: 1,
      tools: 1,
      messages: 9,
      dropped: 0,
      counted: 'usage' as const,
    };
    run.apply({ type: 'measured', budget, trimming: { from: size % 3, window: 100, factor: 1.5 } });
  },
  outage: onAnswer((run) => run.apply({ type: 'waiting', error, at: 1, nextAt: 2 })),
  askAgain: (run, size) => {
    if (run.state.phase.at === 'outage') run.apply(size % 2 === 0 ? { type: 'resumed' } : { type: 'retried', by });
  },
  recover: (run) => {
    if (run.state.phase.at === 'outage') run.apply({ type: 'resumed' }, { type: 'unanswered' });
  },
  fallBack: onAnswer((run) => run.apply({ type: 'fellBack', error })),
  interrupt: onAnswer((run) => {
    const partial = {
      parts: [{ type: 'text' as const, text: 'half' }],
      usage: { prompt: 1, completion: 1 },
      executionUnits: 2,
    };
    run.apply({ type: 'answerInterrupted', partial }, { type: 'exchangeEnded', reason: 'interrupted', by });
  }),
  settle: (run, size) => {
    const [call] = run.open(size);
    if (call !== undefined) run.settle(call.toolUseId, size % 3 === 0);
  },
  askApproval: onCall(
    ({ name, approval }) => name === 'pay' && approval === undefined,
    ({ toolUseId, hash }, size) => [
      {
        type: 'approvalsAsked',
        asked: [{ toolUseId, hash, key: 'by:x', requestedAt: 1, expiresAt: 9e12 + size, deciders: ['role:boss'] }],
      },
    ],
  ),
  decide: onCall(waitsForPerson, ({ toolUseId }, size) => {
    const input = { i: size };
    const edit = { input, hash: hashOfArguments(input), key: 'by:y' };
    const remember = (['once', 'run', 'agent'] as const)[size % 3] ?? 'once';
    const decided = { decision: 'edit' as const, by, at: size, comment: 'fine', remember, edit };
    return [{ type: 'decided', toolUseId, decided }];
  }),
  escalate: onCall(waitsForPerson, ({ toolUseId }) => [
    { type: 'escalated', toolUseId, deciders: ['role:board'], expiresAt: 9e12 },
  ]),
  expire: onCall(waitsForPerson, ({ toolUseId }, at) => [{ type: 'approvalExpired', toolUseId, at }]),
  ask: onCall(
    ({ name, questions }) => (name === 'ask_question' || name === 'files.move') && questions === undefined,
    ({ toolUseId }) => {
      const question = {
        questionId: toolUseId,
        question: 'Why?',
        suggestions: ['so'],
        schema: { type: 'string' },
        askedAt: 1,
      };
      return [{ type: 'questionsAsked', toolUseId, questions: [question] }];
    },
  ),
  reply: (run, size) => {
    const [open] = openQuestions(run.state);
    if (open === undefined) return;
    const reply = { action: 'answered' as const, data: { size }, by, at: 5 };
    run.apply({ type: 'replied', toolUseId: open.toolUseId, questionId: open.question.questionId, reply });
  },
  callService: onCall(
    ({ name, service }) => ['signal', 'child', 'event'].includes(name) && service === undefined,
    ({ toolUseId, name }) => {
      const kind = name as 'signal' | 'child' | 'event';
      return [
        { type: 'serviceCalled', toolUseId, service: { ref: `ref/${toolUseId}`, kind, since: 1, expiresAt: 9e12 } },
      ];
    },
  ),
  answerService: onCall(
    ({ service }) => service !== undefined,
    ({ toolUseId }, size) => [
      { type: 'serviceAnswered', toolUseId, answer: { type: 'evt', data: { size }, executionUnits: 1 }, at: 5 },
    ],
  ),
  grant: (run, size) => {
    const grant = { tool: 'pay', key: `by:${size}`, allowed: size % 2 === 0, by, at: size, comment: 'as always' };
    run.apply({ type: 'granted', grants: [grant] });
  },
  ignore: (run, size) => run.apply({ type: 'ignored', why: 'UnknownSignal', signal: `__proto__${size}` }),
  rename: (run) => run.apply({ type: 'renamed', title: 'Orders of May', by }),
  close: (run) => run.apply({ type: 'closing', why: 'closed', by }),
  undo: (run, size) => {
    const { toolUseId } = run.state.effects.findLast(({ undone, inverse }) => !undone && inverse) ?? {};
    if (toolUseId === undefined) return;
    run.apply({ type: 'undoBegun', toolUseIds: [toolUseId], by, at: 5 });
    if (size % 3 === 0) run.apply({ type: 'undone', toolUseId, text: 'back' });
    if (size % 3 === 1) run.apply({ type: 'undoFailed', toolUseId, error });
  },
} satisfies { [name: string]: Event };

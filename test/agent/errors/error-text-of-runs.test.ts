import { HoldfastError } from '../../../agent/errors/error';
import { type OfRuns, rows, type Texts } from './said';

const id = 'run-1';
const toolUseId = 't1.1';
const questionId = 't1.2';
const at = '2026-01-01T00:00:00Z';

const texts: Texts<OfRuns> = {
  InvalidEvent: [[{ problem: 'no id' }, 'Invalid event: no id.']],
  InvalidSignature: [
    [{ problem: 'it is old' }, 'The webhook cannot be verified: it is old. Check the secret on both sides.'],
  ],
  InvalidDecision: [[{ problem: 'no `by`' }, 'Invalid decision: no `by`.']],
  ApprovalNotFound: [
    [{ id, toolUseId, pending: [] }, 'No call `t1.1` of the run `run-1` waits for a decision; none does.'],
    [
      { id, toolUseId, pending: ['t2.1', 't2.2'] },
      'No call `t1.1` of the run `run-1` waits for a decision; waiting: `t2.1`, `t2.2`.',
    ],
  ],
  ApprovalDecided: [
    [
      { id, toolUseId, decision: 'deny', by: 'ann', at },
      'The call `t1.1` of the run `run-1` is decided already: deny by ann at 2026-01-01T00:00:00Z.',
    ],
  ],
  ApprovalExpired: [
    [{ id, toolUseId }, 'No one decided on the call `t1.1` of the run `run-1` in time.'],
    [{ id, toolUseId, tool: 'pay' }, 'No one decided on the call `t1.1` of `pay` of the run `run-1` in time.'],
  ],
  ApprovalMismatch: [
    [
      { id, toolUseId, expected: 'aa', given: 'bb' },
      'The call `t1.1` of the run `run-1` has arguments other than those of the decision (aa, not bb). Look at it again.',
    ],
  ],
  NotADecider: [
    [
      { id, toolUseId, by: 'bob', deciders: ['ann', 'role:board'] },
      '`bob` may not decide on the call `t1.1` of the run `run-1`; the deciders are `ann`, `role:board`.',
    ],
  ],
  InvalidEdit: [
    [
      { id, toolUseId, tool: 'pay', problem: 'n: missing' },
      'The new arguments do not fit `pay`: n: missing. The call still waits.',
    ],
  ],
  InvalidMessage: [[{ problem: 'it is empty' }, 'Invalid message: it is empty.']],
  UnreadablePayload: [[{ what: 'the input', problem: 'no key' }, 'The payload of the input cannot be read: no key.']],
  MessageTooLarge: [
    [
      { id, tokens: 11, max: 10, window: 8000 },
      'The message to `run-1` has 11 tokens; a window of 8000 leaves 10 beside the system prompt, the tools and the room for an answer. Send less, or let a tool read it piece by piece.',
    ],
  ],
  NotAConversation: [
    [
      { id, what: 'be closed' },
      "The run `run-1` is a task, which cannot be closed. Give its agent `mode: 'conversation'`, or cancel the run.",
    ],
  ],
  NothingToInterrupt: [[{ id }, 'The conversation `run-1` is not answering anything at the moment.']],
  NothingToCompact: [
    [
      { id, keep: 10 },
      'The run `run-1` has nothing to compact: only its last 10 messages, which stay, are not compacted yet. Ask it to keep fewer.',
    ],
  ],
  NothingToRetry: [[{ id }, 'The run `run-1` is not waiting for its model.']],
  NothingToRegenerate: [[{ id, problem: 'it is old' }, 'The last answer of `run-1` cannot be regenerated: it is old.']],
  QuestionNotFound: [
    [{ id, questionId, pending: [] }, 'No question `t1.2` of the run `run-1` waits for an answer; none does.'],
    [
      { id, questionId, pending: ['t2.1', 't2.2'] },
      'No question `t1.2` of the run `run-1` waits for an answer; waiting: `t2.1`, `t2.2`.',
    ],
  ],
  QuestionClosed: [
    [
      { id, questionId, action: 'cancel', at },
      'The question `t1.2` of the run `run-1` is closed already: cancel at 2026-01-01T00:00:00Z.',
    ],
    [
      { id, questionId, action: 'accept', by: 'ann', at },
      'The question `t1.2` of the run `run-1` is closed already: accept by ann at 2026-01-01T00:00:00Z.',
    ],
  ],
  QuestionExpired: [
    [{ id, questionId }, 'No one answered the question `t1.2` of the run `run-1` in time.'],
    [{ id, questionId, tool: 'ask' }, 'No one answered the question `t1.2` of `ask` of the run `run-1` in time.'],
  ],
  InvalidReply: [
    [
      { id, questionId, problem: 'n: missing' },
      'The answer to `t1.2` of the run `run-1` does not fit: n: missing. The question still waits.',
    ],
  ],
  NothingToUndo: [
    [{ id, asked: 1, possible: 0 }, 'The run `run-1` has nothing to undo.'],
    [{ id, asked: 3, possible: 2 }, 'The run `run-1` has only 2 to undo, not 3.'],
  ],
  NotUndoable: [
    [{ id, toolUseId, problem: 'it failed' }, 'The call `t1.1` of the run `run-1` cannot be undone: it failed.'],
    [
      { id, toolUseId, tool: 'pay', problem: 'it failed' },
      'The call `t1.1` of `pay` of the run `run-1` cannot be undone: it failed.',
    ],
  ],
  AlreadyUndone: [
    [
      { id, toolUseId, tool: 'pay', at },
      'The call `t1.1` of `pay` of the run `run-1` was undone already at 2026-01-01T00:00:00Z.',
    ],
    [
      { id, toolUseId, tool: 'pay', by: 'ann', at },
      'The call `t1.1` of `pay` of the run `run-1` was undone already by ann at 2026-01-01T00:00:00Z.',
    ],
  ],
  RunsNotListed: [
    [
      { namespace: 'shop' },
      'Runs of the namespace `shop` cannot be listed. Use a server with visibility: `holdfast dev` starts one.',
    ],
    [
      { namespace: 'shop', problem: 'no store' },
      'Runs of the namespace `shop` cannot be listed (no store). Use a server with visibility: `holdfast dev` starts one.',
    ],
    [
      { namespace: 'shop', missing: 'HoldfastOwner' },
      'Runs of the namespace `shop` cannot be found by `HoldfastOwner`, a search attribute that it does not have. Register the search attributes with ' +
        '`temporal operator search-attribute create --namespace shop --name HoldfastAgent --type Keyword --name HoldfastStatus ' +
        '--type Keyword --name HoldfastAwaiting --type Keyword --name HoldfastOwner --type Keyword --name HoldfastParent ' +
        '--type Keyword` and restart the workers: runs that start after that are found.',
    ],
  ],
  RunNotEnded: [[{ id }, 'The run `run-1` has not ended: close or cancel it first.']],
  AlreadyApplied: [
    [
      { id },
      'The run `run-1` has applied this command before, in an earlier history, and no longer knows its answer. Read the run with `holdfast show run-1` to see the result.',
    ],
  ],
  RunFull: [
    [
      { id },
      'The run `run-1` has taken as many messages as the server lets one run take. Start another run; signals still reach this one.',
    ],
  ],
  RunEnded: [
    [{ id, status: 'closing' }, 'The conversation `run-1` is closing: it takes no more messages. Start another one.'],
    [{ id, status: 'failed' }, 'The run `run-1` has ended (failed): it no longer waits for anything.'],
    [
      { id, status: 'cancelled', exchange: 3 },
      'The run `run-1` has ended (cancelled) without an answer to exchange 3.',
    ],
    [
      { id, status: 'cancelled', undo: ['t1.1'] },
      'The run `run-1` has ended (cancelled) before the undo of `t1.1` was known to be complete.',
    ],
  ],
  UnknownOutlet: [
    [
      { outlet: 'crm', known: ['desk', 'mail'] },
      'No outlet is called `crm`; known are `desk`, `mail`. Add it under `outlets` in temporal.yaml, or to `createWorker`.',
    ],
  ],
  OutletFailed: [[{ outlet: 'crm', problem: '502' }, 'The outlet `crm` could not send the event (502).']],
  RunLost: [[{ problem: 'it ended' }, 'The worker could not fetch the transcript from its run (it ended).']],
  UnknownStateVersion: [
    [
      { version: 3, known: 2 },
      'The run continues from a state of version 3, and this worker reads version 2. Deploy workers with at least the version of Holdfast that wrote it.',
    ],
  ],
  UnknownDecisions: [
    [
      { version: 7, known: 6 },
      'The run takes the decisions of version 7, and this worker knows those up to version 6. Deploy workers with at least the version of Holdfast that the run began with.',
    ],
  ],
  InvalidCarriedState: [
    [
      { problem: 'no turn' },
      'The run continues from a damaged state: no turn. Check that all workers have the same payload codecs, then reset the run, or start a new one.',
    ],
  ],
  RunFailed: [[{ id, problem: 'out of memory' }, 'The run `run-1` failed: out of memory']],
};

test.each(rows(texts))('%s of %j says what happened and what to do', (type, data, text) => {
  expect(new HoldfastError(type, data).message).toBe(text);
});

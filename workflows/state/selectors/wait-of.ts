import type { QuestionState } from '../../../agent/conversation/questions';
import type { AwaitedService } from '../../../agent/state/awaited-service';
import type { ApprovalState, BatchCall } from '../../../agent/state/batch';

/** What a call waits for: a person's decision, a person's answer, or the answer of a service. */
export type CallWait =
  | { for: 'approval'; approval: Extract<ApprovalState, { status: 'asked' }> }
  | { for: 'question'; questions: QuestionState[] }
  | { for: 'answer'; service: AwaitedService };

/** What a call waits for; `undefined` where it is over, runs, or has not begun. */
export function waitOf(call: BatchCall): CallWait | undefined {
  // First, and without an allocation: whenever a call ends, this is asked of all calls of its batch, of which most are over.
  if (call.status !== 'open') return undefined;
  const { approval, questions = [], service } = call;
  if (approval?.status === 'asked') return { for: 'approval', approval };
  const open = questions.filter(({ reply }) => reply === undefined);
  if (open.length > 0) return { for: 'question', questions: open };
  return service?.status === 'awaited' ? { for: 'answer', service } : undefined;
}

/** Calls of one batch with one kind of wait, in order. */
export function waitsFor<What extends CallWait['for']>(batch: readonly BatchCall[], what: What): WaitingCall<What>[] {
  return batch.flatMap((call) => {
    const wait = waitOf(call);
    return wait?.for === what ? [{ call, ...(wait as Extract<CallWait, { for: What }>) }] : [];
  });
}

export type WaitingCall<What extends CallWait['for']> = Extract<CallWait, { for: What }> & { call: BatchCall };

import type { Pending } from '../../../agent/protocol/queries';
import type { RunState } from '../../../agent/state/run-state';
import { defined } from '../../../agent/values/defined';
import type { Progress, Session } from '../../../client/runs/sessions';

/** How far a run is, in the words of `runs` and `show`. */
export function statusText({ status, waits, agentWaits }: Progress & Pick<Session, 'agentWaits'>): string {
  if (agentWaits !== undefined) return 'an agent waits for its model';
  return waits === undefined ? status : WAITS[waits];
}

const WAITS: { readonly [W in NonNullable<Progress['waits']>]: string } = {
  approval: 'waits for a decision',
  answer: 'waits for a service',
  question: 'waits for an answer',
  message: 'waits for a message',
  model: 'waits for the model',
};

/** How far a run is, as it says itself. Lists have the same from its search attributes. */
export function progressIn({ id, status, idle, end, outage }: RunState, pending: Pending): Progress {
  if (end !== undefined || status !== 'running') return { status };
  if (outage !== undefined) return { status: 'waiting', waits: 'model' };
  const waits = idle ? 'message' : waitIn(id, pending);
  return { status: waits === undefined ? 'running' : 'waiting', ...defined({ waits }) };
}

/** What the run itself waits for: agents that work for it show for themselves what they wait for. */
function waitIn(id: string, { approvals, questions, services }: Pending): Progress['waits'] {
  if (approvals.some((call) => call.id === id)) return 'approval';
  if (questions.some((asked) => asked.id === id)) return 'question';
  const awaited = services.some((call) => call.id === id && (call.kind === 'event' || call.kind === 'signal'));
  return awaited ? 'answer' : undefined;
}

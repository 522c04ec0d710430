import { defineQuery, setHandler, workflowInfo } from '@temporalio/workflow';
import type { PendingApproval } from '../../agent/approvals/approval';
import type { PendingQuestion } from '../../agent/conversation/questions';
import type { ContextBudget, ContextSummary } from '../../agent/model/context-window';
import { firstPage, transcriptPage } from '../../agent/model/transcript';
import type { PendingService } from '../../agent/protocol/calls/pending-service';
import { answeredTurn, type Fact, type FactPage } from '../../agent/protocol/facts/fact';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import {
  type ChainLink,
  type Pending,
  type PendingModel,
  QUERY,
  QUERY_AGAIN,
  type TranscriptPage,
} from '../../agent/protocol/queries';
import type { RunState } from '../../agent/state/run-state';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import { readable } from '../../agent/values/unreadable';
import { orFailure } from '../run/failures';
import type { Run } from '../run/run';
import { inputOf } from '../state/selectors/calls';
import { modelInUse } from '../state/selectors/model-in-use';
import { isDescribed, outageOf } from '../state/selectors/phase';
import { openQuestions } from '../state/selectors/questions';
import { type WaitingCall, waitsFor } from '../state/selectors/wait-of';
import { runStateOf } from './run-state';

/** Answers queries to a run, while it works and after its end. */
export function answerQueries(run: Run): void {
  answer<RunState>(QUERY.state, () => ({ ...startTitle(), ...runStateOf(whole(run)) }));
  answer<TranscriptPage>(QUERY.transcript, (from) => transcriptPage(run.state.messages, run.state.epoch, place(from)));
  answer<FactPage>(QUERY.facts, (after) => factPage(run, place(after)));
  answer<Pending>(QUERY.pending, () => pendingOf(run.state));
  answer<ChainLink[]>(QUERY.chain, () => run.state.chain);
  answer<Json>(QUERY.answer, () => run.state.answer?.data ?? null);
  answer<ContextBudget | null>(QUERY.budget, () => run.state.budget ?? null);
  answer<Manifest | RunContext | ContextSummary | null>(QUERY.pinned, (what) => pinned(whole(run), what));
}

/** A run that goes on in a new history does not know its agent until it has read it again: the client asks again. */
function whole({ state }: Run): AgentState {
  if (state.continued > 0 && !isDescribed(state)) throw new Error(QUERY_AGAIN);
  return state;
}

/** The title of the start, which lists show as well. The one that a person gave since comes before it. */
function startTitle(): Pick<RunState, 'title'> {
  const title = workflowInfo().memo?.holdfastTitle;
  return typeof title === 'string' ? { title } : {};
}

/** Facts after `after`, or which earlier runs have them. */
function factPage({ facts, state, over }: Run, after: number): FactPage {
  const { runId } = workflowInfo();
  const { chainId, facts: last, chain } = state;
  const firstSeq = facts[0]?.seq ?? last + 1;
  const about = { firstSeq, runId, chainId, last, ended: over, ...defined({ answered: lastAnswered(facts) }) };
  const earlier = after + 1 < firstSeq ? chain.filter((link) => link.facts > after) : [];
  if (earlier.length > 0) return { facts: [], earlier, ...about };
  return { facts: firstPage(facts, Math.max(0, after + 1 - firstSeq)), ...about };
}

/** For readers that do not know the facts before `after`: it tells them which deltas are too old. */
function lastAnswered(facts: readonly Fact[]): number | undefined {
  for (let at = facts.length - 1; at >= 0; at--) {
    const turn = answeredTurn(facts[at] as Fact);
    if (turn !== undefined) return turn;
  }
  return undefined;
}

/** An argument that cannot be read fails only the query. */
function answer<Result>(name: string, handle: (argument: unknown) => Result): void {
  setHandler(defineQuery<Result, [unknown]>(name), (argument) =>
    orFailure(() => handle(readable(argument, `the query \`${name}\``))),
  );
}

function pinned(
  { manifest, context, summary }: AgentState,
  what: unknown,
): Manifest | RunContext | ContextSummary | null {
  if (what === 'summary') return summary ?? null;
  return (what === 'manifest' ? manifest : context) ?? null;
}

function pendingOf(state: AgentState): Pending {
  if (state.phase.at === 'ended') return { approvals: [], services: [], questions: [], models: [] };
  return {
    approvals: waitsFor(state.batch, 'approval').map((asked) => pendingApproval(state, asked)),
    services: waitsFor(state.batch, 'answer').map((awaited) => pendingService(state, awaited)),
    questions: pendingQuestions(state),
    models: pendingModels(state),
  };
}

function pendingModels(state: AgentState): PendingModel[] {
  const outage = outageOf(state);
  if (outage === undefined) return [];
  const { since, failures, error, nextAt } = outage;
  return [
    { id: state.id, agent: state.agent, model: modelInUse(state), since, failures, error, ...defined({ nextAt }) },
  ];
}

function pendingApproval({ id, agent, owner }: AgentState, asked: WaitingCall<'approval'>): PendingApproval {
  const { toolUseId, name: tool, input } = asked.call;
  const { key: _, status: _asked, ...question } = asked.approval;
  return { id, agent, ...defined({ owner }), toolUseId, tool, input, ...question };
}

function pendingService({ id, agent }: AgentState, { call, service }: WaitingCall<'answer'>): PendingService {
  const { ref, kind, since, expiresAt, domain } = service;
  const { toolUseId, name: tool } = call;
  return { id, agent, toolUseId, tool, input: inputOf(call), ref, kind, since, ...defined({ expiresAt, domain }) };
}

function pendingQuestions(state: AgentState): PendingQuestion[] {
  const { id, agent, owner } = state;
  return openQuestions(state).map(({ toolUseId, name: tool, question }) => {
    const { reply: _, ...asked } = question;
    return { id, agent, ...defined({ owner }), toolUseId, tool, ...asked };
  });
}

function place(asked: unknown): number {
  return typeof asked === 'number' && asked > 0 ? Math.floor(asked) : 0;
}

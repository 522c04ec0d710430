import type { Grant } from '../../../agent/approvals/approval';
import type { RunReport } from '../../../agent/budget/report';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { ServiceAnswer, ServiceRequest } from '../../../agent/state/awaited-service';
import type {
  ApprovalOutcome,
  ApprovalQuestion,
  ApprovalState,
  BatchCall,
  CallFacts,
} from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { callOf } from '../selectors/calls';
import { withChild } from '../selectors/spent';
import type { Reducers, Step } from './append';

/** Inputs about a call that waits for a person or a service. */
export type WaitInput =
  | { type: 'approvalsAsked'; asked: ({ toolUseId: string } & ApprovalQuestion)[] }
  | { type: 'remembered'; toolUseId: string; hash: string; grant: Grant; at: number }
  | { type: 'decided'; toolUseId: string; decided: ApprovalOutcome & { by: string } }
  | { type: 'escalated'; toolUseId: string; deciders: string[]; expiresAt: number }
  | { type: 'approvalExpired'; toolUseId: string; at: number }
  | { type: 'serviceCalled'; toolUseId: string; service: ServiceRequest }
  | { type: 'serviceAnswered'; toolUseId: string; answer: ServiceAnswer; at: number }
  | { type: 'childReported'; spent: RunReport }
  | { type: 'granted'; grants: Grant[] }
  | { type: 'notKept'; toolUseId: string; grants: Grant[]; problem: string }
  | { type: 'ignored'; why: string; toolUseId?: string; detail?: string; signal?: string }
  | { type: 'replyFailed'; to: string; problem: string };

/** Reducers for waits. */
export const waitReducers: Reducers<WaitInput> = {
  approvalsAsked: (state, { asked: questions }) => asked(state, questions),
  remembered: (state, { toolUseId, hash, grant, at }) => {
    const { allowed, by, comment } = grant;
    const decision: ApprovalOutcome = { decision: allowed ? 'approve' : 'deny', by, at, ...defined({ comment }) };
    const approval: ApprovalState = { status: 'decided', hash, key: grant.key, requestedAt: at, decision };
    return changeCall(state, toolUseId, { approval }, (name) => [
      { type: 'approval.remembered', turn: state.turn, toolUseId, name, allowed, by, at: grant.at },
    ]);
  },
  decided: (state, { toolUseId, decided: outcome }) => decided(state, toolUseId, outcome),
  escalated: (state, { toolUseId, deciders, expiresAt }) => {
    const approval = { ...approvalOf(state, toolUseId), deciders, expiresAt, escalated: true as const };
    return changeCall(state, toolUseId, { approval }, (name) => [
      { type: 'approval.escalated', turn: state.turn, toolUseId, name, deciders, expiresAt },
    ]);
  },
  approvalExpired: (state, { toolUseId, at }) => {
    const decision: ApprovalOutcome = { decision: 'expired', at };
    const next = changeCall(state, toolUseId, { approval: decidedApproval(state, toolUseId, decision) }, (name) => [
      { type: 'approval.expired', turn: state.turn, toolUseId, name },
    ]);
    return { ...next, state: { ...next.state, decided: { ...state.decided, [toolUseId]: decision } } };
  },
  serviceCalled: (state, { toolUseId, service }) => {
    const { kind, ref, expiresAt, domain } = service;
    return changeCall(state, toolUseId, { service: { ...service, status: 'awaited' } }, (name) => [
      { type: 'service.called', turn: state.turn, toolUseId, name, kind, ref, ...defined({ expiresAt, domain }) },
    ]);
  },
  serviceAnswered: (state, { toolUseId, answer, at }) => {
    const service = callOf(state, toolUseId)?.service;
    if (service === undefined) return { state, facts: [] };
    const { type: event, executionUnits, spent } = answer;
    return changeCall(
      withChild(state, spent),
      toolUseId,
      { service: { ...service, status: 'answered', answer, answeredAt: at } },
      (name) => [
        { type: 'service.answered', turn: state.turn, toolUseId, name, ...defined({ event, executionUnits, spent }) },
      ],
    );
  },
  childReported: (state, { spent }) => ({ state: withChild(state, spent), facts: [] }),
  granted: (state, { grants }) => ({ state: { ...state, grants: withGrants(state.grants, grants) }, facts: [] }),
  notKept: (state, { toolUseId, grants, problem }) => {
    const { turn } = state;
    const facts = grants.map(({ tool: name, key, allowed, by }): FactBody => {
      return { type: 'approval.unremembered', turn, toolUseId, name, key, allowed, by, problem };
    });
    return { state, facts };
  },
  ignored: (state, { why, toolUseId, detail, signal }) => {
    const ignored = { ...state.ignored, [why]: (state.ignored[why] ?? 0) + 1 };
    const unknown = signal === undefined ? {} : { unknownSignals: counted(state.unknownSignals, signal) };
    const fact: FactBody = { type: 'message.ignored', why, ...defined({ toolUseId, detail }) };
    return { state: { ...state, ignored, ...unknown }, facts: [fact] };
  },
  replyFailed: (state, { to, problem }) => ({ state, facts: [{ type: 'reply.failed', to, problem }] }),
};

/** Names of unknown signals that are kept: a client that sends thousands must not fill the state. */
const MAX_NAMES = 50;

function counted(names: AgentState['unknownSignals'] = {}, name: string): NonNullable<AgentState['unknownSignals']> {
  const known = Object.hasOwn(names, name);
  if (!known && Object.keys(names).length >= MAX_NAMES) return names;
  return { ...names, [name]: (known ? (names[name] ?? 0) : 0) + 1 };
}

function asked(state: AgentState, questions: ({ toolUseId: string } & ApprovalQuestion)[]): Step {
  const facts: FactBody[] = [];
  let next = state;
  for (const { toolUseId, ...question } of questions) {
    const { hash, deciders, expiresAt, repeats, grantsUnread } = question;
    const step = changeCall(next, toolUseId, { approval: { ...question, status: 'asked' } }, (name, { input }) => [
      {
        type: 'approval.requested',
        turn: state.turn,
        toolUseId,
        name,
        input,
        hash,
        ...defined({ deciders, expiresAt, repeats, grantsUnread }),
      },
    ]);
    next = step.state;
    facts.push(...step.facts);
  }
  return { state: next, facts };
}

function decided(state: AgentState, toolUseId: string, decision: ApprovalOutcome & { by: string }): Step {
  const { decision: what, by, at, comment, remember, edit } = decision;
  const next = changeCall(state, toolUseId, { approval: decidedApproval(state, toolUseId, decision) }, (name) => [
    {
      type: 'approval.decided',
      turn: state.turn,
      toolUseId,
      name,
      decision: what as 'approve' | 'deny' | 'edit',
      by,
      ...defined({ comment, remember }),
      ...defined({ input: edit?.input }),
    },
  ]);
  const grant = grantOf(state, toolUseId, decision);
  return {
    facts: next.facts,
    state: {
      ...next.state,
      decided: { ...state.decided, [toolUseId]: { decision: what, by, at } },
      grants: grant === undefined ? state.grants : withGrants(state.grants, [grant]),
    },
  };
}

/** The grant that a decision gives for later calls; `undefined` where it holds for this one only. */
export function grantOf(state: AgentState, toolUseId: string, decision: ApprovalOutcome): Grant | undefined {
  const call = callOf(state, toolUseId);
  const { remember = 'once', by = '', at, comment, edit } = decision;
  if (call?.approval === undefined || remember === 'once') return undefined;
  const allowed = decision.decision !== 'deny';
  // The person has allowed the call as it runs, not as the model requested it.
  const key = edit?.key ?? call.approval.key;
  return { tool: call.name, key, allowed, by, at, ...defined({ comment }) };
}

/** The newest decision about the same thing replaces the one before. */
function withGrants(before: readonly Grant[], more: readonly Grant[]): Grant[] {
  const replaced = (old: Grant) => more.some(({ tool, key }) => tool === old.tool && key === old.key);
  return [...before.filter((grant) => !replaced(grant)), ...more];
}

function decidedApproval(state: AgentState, toolUseId: string, decision: ApprovalOutcome): ApprovalState {
  return { ...approvalOf(state, toolUseId), status: 'decided', decision };
}

function approvalOf(state: AgentState, toolUseId: string): ApprovalState {
  const approval = callOf(state, toolUseId)?.approval;
  if (approval === undefined) throw new Error(`${toolUseId} was not asked about`);
  return approval;
}

/** Changes one call of the batch, and adds the facts about it. */
export function changeCall(
  state: AgentState,
  toolUseId: string,
  change: Partial<CallFacts>,
  facts: (name: string, call: BatchCall) => FactBody[],
): Step {
  const call = callOf(state, toolUseId);
  if (call === undefined) throw new Error(`${toolUseId} is not awaited`);
  const batch = state.batch.map((other) => (other === call ? { ...call, ...change } : other));
  return { state: { ...state, batch }, facts: facts(call.name, call) };
}

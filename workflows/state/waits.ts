import type { Grant } from '../../agent/approvals/approval';
import type { FactBody } from '../../agent/protocol/fact';
import type {
  AgentState,
  ApprovalState,
  AwaitedService,
  AwaitingCall,
  Decided,
  ServiceAnswer,
} from '../../agent/state/state';
import type { Step } from './append';

/** What happens to a call that waits for somebody. */
export type WaitInput =
  | { type: 'approvalsAsked'; asked: ({ toolUseId: string } & Omit<ApprovalState, 'decision'>)[] }
  | { type: 'remembered'; toolUseId: string; hash: string; grant: Grant; at: number }
  | { type: 'decided'; toolUseId: string; decided: Decided & { by: string } }
  | { type: 'escalated'; toolUseId: string; deciders: string[]; expiresAt: number }
  | { type: 'approvalExpired'; toolUseId: string; at: number }
  | { type: 'serviceCalled'; toolUseId: string; service: AwaitedService }
  | { type: 'serviceAnswered'; toolUseId: string; answer: ServiceAnswer; at: number }
  | { type: 'granted'; grants: Grant[] }
  | { type: 'notKept'; toolUseId: string; grants: Grant[]; problem: string }
  | { type: 'ignored'; why: string; toolUseId?: string; detail?: string; signal?: string }
  | { type: 'replyFailed'; to: string; problem: string };

/** The arguments that a call runs with: those of the model, or those that a person put in their place. */
export function inputOf(call: AwaitingCall): AwaitingCall['input'] {
  return call.approval?.decision?.edit?.input ?? call.input;
}

/** SHA-256 of those arguments. */
export function hashOf(call: AwaitingCall): string {
  return call.approval?.decision?.edit?.hash ?? call.hash;
}

/** The run after something happened to a wait. Pure, a part of `step`. */
export function stepWait(state: AgentState, input: WaitInput): Step {
  const { turn } = state;
  switch (input.type) {
    case 'approvalsAsked':
      return asked(state, input.asked);
    case 'remembered': {
      const { toolUseId, hash, grant, at } = input;
      const { allowed, by, comment } = grant;
      const decision: Decided = {
        decision: allowed ? 'approve' : 'deny',
        by,
        at,
        ...(comment === undefined ? {} : { comment }),
      };
      const approval: ApprovalState = { hash, key: grant.key, requestedAt: at, decision };
      return changed(state, toolUseId, { approval }, (name) => [
        { type: 'approval.remembered', turn, toolUseId, name, allowed, by, at: grant.at },
      ]);
    }
    case 'decided':
      return decided(state, input.toolUseId, input.decided);
    case 'escalated': {
      const { toolUseId, deciders, expiresAt } = input;
      const approval = { ...approvalOf(state, toolUseId), deciders, expiresAt, escalated: true as const };
      return changed(state, toolUseId, { approval }, (name) => [
        { type: 'approval.escalated', turn, toolUseId, name, deciders, expiresAt },
      ]);
    }
    case 'approvalExpired': {
      const { toolUseId, at } = input;
      const decision: Decided = { decision: 'expired', at };
      const next = changed(state, toolUseId, { approval: { ...approvalOf(state, toolUseId), decision } }, (name) => [
        { type: 'approval.expired', turn, toolUseId, name },
      ]);
      return { ...next, state: { ...next.state, decided: { ...state.decided, [toolUseId]: decision } } };
    }
    case 'serviceCalled': {
      const { toolUseId, service } = input;
      const { way, ref, expiresAt } = service;
      return changed(state, toolUseId, { service }, (name) => [
        { type: 'service.called', turn, toolUseId, name, way, ref, ...(expiresAt === undefined ? {} : { expiresAt }) },
      ]);
    }
    case 'serviceAnswered': {
      const { toolUseId, answer, at } = input;
      const service = callOf(state, toolUseId)?.service;
      if (service === undefined) return { state, facts: [] };
      const { type, executionUnits } = answer;
      return changed(state, toolUseId, { service: { ...service, answer, answeredAt: at } }, (name) => [
        {
          type: 'service.answered',
          turn,
          toolUseId,
          name,
          ...(type === undefined ? {} : { event: type }),
          ...(executionUnits === undefined ? {} : { executionUnits }),
        },
      ]);
    }
    case 'granted':
      return { state: { ...state, grants: withGrants(state.grants, input.grants) }, facts: [] };
    case 'notKept': {
      const { toolUseId, grants, problem } = input;
      const facts = grants.map(({ tool: name, key, allowed, by }): FactBody => {
        return { type: 'approval.unremembered', turn, toolUseId, name, key, allowed, by, problem };
      });
      return { state, facts };
    }
    case 'ignored': {
      const { why, toolUseId, detail, signal } = input;
      const ignored = { ...state.ignored, [why]: (state.ignored[why] ?? 0) + 1 };
      const about = { ...(toolUseId === undefined ? {} : { toolUseId }), ...(detail === undefined ? {} : { detail }) };
      const unknown = signal === undefined ? {} : { unknownSignals: counted(state.unknownSignals, signal) };
      return { state: { ...state, ignored, ...unknown }, facts: [{ type: 'message.ignored', why, ...about }] };
    }
    case 'replyFailed':
      return { state, facts: [{ type: 'reply.failed', to: input.to, problem: input.problem }] };
  }
}

/** Names of unknown signals that are kept: whoever sends thousands fills no state. */
const MAX_NAMES = 50;

function counted(names: AgentState['unknownSignals'] = {}, name: string): NonNullable<AgentState['unknownSignals']> {
  const known = Object.hasOwn(names, name);
  if (!known && Object.keys(names).length >= MAX_NAMES) return names;
  return { ...names, [name]: (known ? (names[name] ?? 0) : 0) + 1 };
}

function asked(state: AgentState, questions: ({ toolUseId: string } & Omit<ApprovalState, 'decision'>)[]): Step {
  const facts: FactBody[] = [];
  let next = state;
  for (const { toolUseId, ...approval } of questions) {
    const { hash, deciders, expiresAt, repeats, grantsUnread } = approval;
    const step = changed(next, toolUseId, { approval }, (name, { input }) => [
      {
        type: 'approval.requested',
        turn: state.turn,
        toolUseId,
        name,
        input,
        hash,
        ...(deciders === undefined ? {} : { deciders }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(repeats === undefined ? {} : { repeats }),
        ...(grantsUnread === undefined ? {} : { grantsUnread }),
      },
    ]);
    next = step.state;
    facts.push(...step.facts);
  }
  return { state: next, facts };
}

function decided(state: AgentState, toolUseId: string, decision: Decided & { by: string }): Step {
  const approval = approvalOf(state, toolUseId);
  const { decision: what, by, at, comment, remember, edit } = decision;
  const next = changed(state, toolUseId, { approval: { ...approval, decision } }, (name) => [
    {
      type: 'approval.decided',
      turn: state.turn,
      toolUseId,
      name,
      decision: what as 'approve' | 'deny' | 'edit',
      by,
      ...(comment === undefined ? {} : { comment }),
      ...(remember === undefined ? {} : { remember }),
      ...(edit === undefined ? {} : { input: edit.input }),
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

/** What a decision says about later calls; `undefined` where it holds for this one only. */
export function grantOf(state: AgentState, toolUseId: string, decision: Decided): Grant | undefined {
  const call = callOf(state, toolUseId);
  const { remember = 'once', by = '', at, comment, edit } = decision;
  if (call?.approval === undefined || remember === 'once') return undefined;
  const allowed = decision.decision !== 'deny';
  // What a person has allowed is the call as it runs, not as the model asked for it.
  const key = edit?.key ?? call.approval.key;
  return { tool: call.name, key, allowed, by, at, ...(comment === undefined ? {} : { comment }) };
}

/** The newest decision about the same thing replaces the one before. */
function withGrants(before: readonly Grant[], more: readonly Grant[]): Grant[] {
  const replaced = (old: Grant) => more.some(({ tool, key }) => tool === old.tool && key === old.key);
  return [...before.filter((grant) => !replaced(grant)), ...more];
}

export function callOf({ awaiting }: AgentState, toolUseId: string): AwaitingCall | undefined {
  return awaiting.find((call) => call.toolUseId === toolUseId);
}

function approvalOf(state: AgentState, toolUseId: string): ApprovalState {
  const approval = callOf(state, toolUseId)?.approval;
  if (approval === undefined) throw new Error(`${toolUseId} was not asked about`);
  return approval;
}

/** One call of the batch, changed, and what is told of it. */
export function changed(
  state: AgentState,
  toolUseId: string,
  change: Partial<AwaitingCall>,
  facts: (name: string, call: AwaitingCall) => FactBody[],
): Step {
  const call = callOf(state, toolUseId);
  if (call === undefined) throw new Error(`${toolUseId} is not awaited`);
  const awaiting = state.awaiting.map((other) => (other === call ? { ...call, ...change } : other));
  return { state: { ...state, awaiting }, facts: facts(call.name, call) };
}

import type { Fact } from '../../agent/protocol/facts/fact';
import { type Pending, QUERY } from '../../agent/protocol/queries';
import type { RunState } from '../../agent/state/run-state';
import type { AgentClient } from '../../client/agent-client';
import { patientQuery } from '../../client/requests/patient-query';

/** Whether what a run says that it waits for is what its facts say, where no fact comes between the questions. */
export async function waitProblems(
  client: AgentClient,
  id: string,
  heard: readonly Fact[],
  signal: AbortSignal,
): Promise<string[]> {
  const ask = <Answer>(name: string) => patientQuery<Answer>(client.temporal, id, name, { signal });
  const before = await ask<RunState>(QUERY.state);
  const pending = await ask<Pending>(QUERY.pending);
  const state = await ask<RunState>(QUERY.state);
  if (before.facts !== state.facts || heard.length !== state.facts || state.status !== 'running') return [];
  const facts = [...heard];
  const open = (opens: Fact['type'], closes: RegExp) => {
    const ids = new Set<string>();
    for (const fact of facts) {
      if (!('toolUseId' in fact) || fact.toolUseId === undefined) continue;
      const of = 'questionId' in fact ? (fact.questionId as string) : fact.toolUseId;
      if (fact.type === opens) ids.add(of);
      if (closes.test(fact.type)) ids.delete(of);
    }
    return [...ids].sort();
  };
  const compare = (what: string, told: string[], expected: string[]) =>
    JSON.stringify(told.sort()) === JSON.stringify(expected)
      ? []
      : [`${what}: waits for ${told}, by its facts for ${expected}; ${JSON.stringify(facts.slice(-6))}`];
  const approvals = open('approval.requested', /^(approval\.(decided|expired|withdrawn)|tool\.(result|error))$/);
  const questions = open('question.asked', /^question\.(?!asked)/);
  const calls = open('tool.call', /^tool\.(result|error)$/);
  const openCalls = state.batch.filter(({ status }) => status !== 'settled').map(({ toolUseId }) => toolUseId);
  return [
    ...compare(
      'approvals',
      pending.approvals.map(({ toolUseId }) => toolUseId),
      approvals,
    ),
    ...compare(
      'questions',
      pending.questions.map(({ questionId }) => questionId),
      questions,
    ),
    ...(state.batch.some(({ status }) => status === 'rejected') ? [] : compare('calls', openCalls, calls)),
  ];
}

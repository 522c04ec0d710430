import type { Message, ToolResultPart, ToolUsePart } from '../../../agent/model/message';
import type { Fact } from '../../../agent/protocol/facts/fact';

/**
 * The problems of a transcript: each call has exactly one result, right after its answer and in the order of the calls,
 * and turns only increase.
 */
export function transcriptProblems(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  let open = new Map<string, ToolUsePart>();
  let turn = 0;
  const close = (where: string) => {
    for (const id of open.keys()) problems.push(`${id} has no result before ${where}`);
    open = new Map();
  };
  messages.forEach((message, i) => {
    const where = `message ${i}`;
    if (message.turn < turn) problems.push(`${where} goes back from turn ${turn} to ${message.turn}`);
    if (message.partial && i < messages.length - 1) problems.push(`${where} is partial, but not the last one`);
    if (message.role === 'assistant') {
      close(where);
      if (message.turn > 0 && message.turn === turn && i > 0 && messages[i - 1]?.role === 'assistant') {
        problems.push(`${where} is a second answer in turn ${turn}`);
      }
      for (const use of message.parts.filter((part): part is ToolUsePart => part.type === 'tool_use')) {
        if (!new RegExp(`^t${message.turn}\\.\\d+$`).test(use.toolUseId)) {
          problems.push(`${where} has the id ${use.toolUseId} in turn ${message.turn}`);
        }
        if (ids.has(use.toolUseId)) problems.push(`${use.toolUseId} is called twice`);
        ids.add(use.toolUseId);
        open.set(use.toolUseId, use);
      }
    } else {
      const results = message.parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
      if (results.length === 0 && open.size > 0) close(where);
      for (const result of results) {
        const use = open.get(result.toolUseId);
        if (use === undefined) problems.push(`${where} answers ${result.toolUseId}, which is not open`);
        else if (use !== open.values().next().value) problems.push(`${where} answers ${result.toolUseId} out of order`);
        else if (use.name !== result.name) problems.push(`${where} calls ${use.name} ${result.name}`);
        open.delete(result.toolUseId);
      }
    }
    turn = message.turn;
  });
  close('the end');
  return problems;
}

/** The problems of the facts of an ended run: no gaps, one outcome a call, exactly the messages of the transcript. */
export function factProblems(facts: readonly Fact[], messages: readonly Message[]): string[] {
  const problems = facts.flatMap((fact, i) => (fact.seq === i + 1 ? [] : [`fact ${i + 1} has the number ${fact.seq}`]));
  const called = facts.flatMap((fact) => (fact.type === 'tool.call' ? [fact.toolUseId] : []));
  const settled = facts.flatMap((f) => (f.type === 'tool.result' || f.type === 'tool.error' ? [f.toolUseId] : []));
  if (JSON.stringify([...called].sort()) !== JSON.stringify([...settled].sort())) {
    problems.push(`called ${called.join(' ')}, settled ${settled.join(' ')}`);
  }
  const told = facts.flatMap((fact) => (fact.type === 'message' ? [fact.message] : []));
  if (JSON.stringify(told) !== JSON.stringify(messages)) problems.push('the facts have other messages');
  const ends = facts.filter((fact) => fact.type === 'loop.end').length;
  if (ends !== 1 || facts.at(-1)?.type !== 'loop.end') problems.push(`${ends} ends, and the last fact is another`);
  return problems;
}

import type { Pending } from '../../agent/protocol/queries';
import { visible } from '../../agent/values/visible';
import { oneLine } from '../lines/facts/fact-line';
import { answerCommand, approveCommand, completeCommand, whoMay } from '../lines/waits/wait-commands';
import { iso, until } from '../lines/waits/wait-line';

/** What a run and the agents that work for it wait for, each with the command that ends the wait. */
export function waitRows(run: string, { approvals, services, questions }: Pending): string[][] {
  const of = (id: string) => (id === run ? '' : ` of ${id}`);
  const lines = [
    ...approvals.map((call) => {
      const { id, toolUseId, tool, deciders, expiresAt } = call;
      return [`${toolUseId} ${tool}${of(id)} for ${whoMay(deciders)}${until(expiresAt)}`, approveCommand(call)];
    }),
    ...services.map((call) => {
      const { id, toolUseId, tool, since, expiresAt } = call;
      const what = `${toolUseId} ${tool}${of(id)} for an answer since ${iso(since)}${until(expiresAt)}`;
      return [what, completeCommand(call)];
    }),
    ...questions.map((asked) => {
      const { id, questionId, tool, question, expiresAt } = asked;
      return [`${questionId} ${tool}${of(id)} asks${until(expiresAt)}: ${question}`, answerCommand(asked)];
    }),
  ];
  return lines.flatMap(([what = '', command], i) => [
    [i === 0 ? 'waits' : '', oneLine(visible(what), 200)],
    ...(command === undefined ? [] : [['', `  ${visible(command)}`]]),
  ]);
}

import type { Pending, PendingModel } from '../../agent/protocol/queries';
import { outageText } from '../../agent/state/outage-text';
import { visible } from '../../agent/values/visible';
import { agentBelowText } from '../../client/silence/agent-below-text';
import { oneLine, PROBLEM_WIDTH } from '../lines/facts/fact-line';
import { answerCommand, approveCommand, completeCommand, modelCommands, whoMay } from '../lines/waits/wait-commands';
import { iso, until } from '../lines/waits/wait-line';

/** Maximum characters of a wait. */
const WIDTH = 200;

/** What a run and the agents that work for it wait for, each with the commands that end the wait. */
export function waitRows(run: string, { approvals, services, questions, models }: Pending): string[][] {
  const of = (id: string) => (id === run ? '' : ` of ${id}`);
  const waits = [
    ...approvals.map((call) => {
      const { id, toolUseId, tool, deciders, expiresAt } = call;
      return rows(`${toolUseId} ${tool}${of(id)} for ${whoMay(deciders)}${until(expiresAt)}`, [approveCommand(call)]);
    }),
    ...services.map((call) => {
      const { id, toolUseId, tool, since, expiresAt } = call;
      const what = `${toolUseId} ${tool}${of(id)} for an answer since ${iso(since)}${until(expiresAt)}`;
      const command = completeCommand(call);
      return rows(what, command === undefined ? [] : [command]);
    }),
    ...questions.map((asked) => {
      const { id, questionId, tool, question, expiresAt } = asked;
      return rows(`${questionId} ${tool}${of(id)} asks${until(expiresAt)}: ${question}`, [answerCommand(asked)]);
    }),
    // The run's own model has a row of its own.
    ...models.filter(({ id }) => id !== run).map((model) => modelRows(model, agentBelowText(model, outageText(model)))),
  ];
  return named('waits', waits.flat());
}

/** A model that a run waits for. */
export function ownModelRows(model: Omit<PendingModel, 'agent'>): string[][] {
  return named('waiting', modelRows(model, outageText(model)));
}

function modelRows({ id }: Pick<PendingModel, 'id'>, what: string): string[] {
  return rows(what, modelCommands(id), PROBLEM_WIDTH);
}

function rows(what: string, commands: readonly string[], width = WIDTH): string[] {
  return [oneLine(visible(what), width), ...commands.map((command) => `  ${visible(command)}`)];
}

function named(name: string, lines: readonly string[]): string[][] {
  return lines.map((line, i) => [i === 0 ? name : '', line]);
}

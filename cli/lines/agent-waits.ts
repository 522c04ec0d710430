import type { Fact } from '../../agent/protocol/facts/fact';
import { visible, visibleJson } from '../../agent/values/visible';
import { keyOf } from '../chat/asks';
import { isQuestion, type Waiting } from '../inbox/lines';
import { oneLine } from './facts/fact-line';
import { answerCommand, approveCommand, whoMay } from './waits/wait-commands';
import { until } from './waits/wait-line';

/** Says, once for each, what agents that work for a run ask a person: the run has no facts about it. */
export class AgentWaits {
  /** Calls that other agents work on. */
  readonly #open = new Set<string>();
  readonly #shown = new Set<string>();

  /** @param find what the run and the agents that work for it wait for */
  constructor(
    private readonly run: string,
    private readonly find: () => Promise<readonly Waiting[]>,
    private readonly say: (line: string) => void,
  ) {}

  /** Takes the facts of the run in order. */
  note(fact: Fact): void {
    if (fact.type === 'service.called' && fact.kind === 'agent') this.#open.add(fact.toolUseId);
    if (fact.type === 'service.answered' || fact.type === 'tool.error') this.#open.delete(fact.toolUseId);
  }

  /** Looks for what waits, if agents work for the run. */
  async look(): Promise<void> {
    if (this.#open.size === 0) return;
    for (const waiting of await this.find()) {
      if (waiting.id === this.run || this.#shown.has(keyOf(waiting))) continue;
      this.#shown.add(keyOf(waiting));
      this.say(`asks  ${oneLine(visible(askText(waiting)))}`);
      this.say(`wait  ${isQuestion(waiting) ? answerCommand(waiting) : approveCommand(waiting)}`);
    }
  }
}

function askText(waiting: Waiting): string {
  const { agent, expiresAt } = waiting;
  if (isQuestion(waiting)) return `${agent}: ${waiting.questionId} asks${until(expiresAt)}: ${waiting.question}`;
  const { toolUseId, tool, deciders, input } = waiting;
  return `${agent}: ${toolUseId} ${tool} waits for ${whoMay(deciders)}${until(expiresAt)}: ${visibleJson(input)}`;
}

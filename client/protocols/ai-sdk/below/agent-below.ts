import type { Fact } from '../../../../agent/protocol/facts/fact';
import { CallParts } from '../calls/calls';
import type { ToolNames } from '../calls/tool-names';
import type { UiChunk } from '../chunks';
import { Notices } from '../notices';

/** What is known about an agent that works for a run. */
export interface AboutAgent {
  runId: string;
  agent: string;
  names: ToolNames;
}

/**
 * An agent that works for the run, or for one of its agents. Its work is its own affair, apart from the calls that people
 * are asked about: these are parts of the message, too. Their ids begin with those of the calls that lead to it.
 */
export class AgentBelow {
  readonly calls: CallParts;
  readonly #notices = new Notices();
  /** Calls that people were asked about. */
  readonly #asked = new Set<string>();

  constructor(
    /** Ids of the calls that lead to it: `t1.1`, or `t1.1/t2.1`. */
    readonly path: string,
    private readonly about: AboutAgent,
  ) {
    // No page has types for the tools of other agents.
    this.calls = new CallParts((name) => ({ ...about.names(name), dynamic: true }));
  }

  /** What a fact of the agent means for people. */
  take(fact: Fact): UiChunk[] {
    if (!('toolUseId' in fact) || fact.toolUseId === undefined) return [];
    const toolUseId = idBelow(this.path, fact.toolUseId);
    const chunks = this.calls.take({ ...fact, toolUseId });
    const isNew = isAsking(fact) && !this.#asked.has(toolUseId);
    if (isNew) this.#asked.add(toolUseId);
    const begins = isNew ? this.calls.partOf(toolUseId) : [];
    const rest = isNew ? chunks.filter(({ type }) => type !== 'tool-input-available') : chunks;
    return this.#ofAsked([...begins, ...rest, ...this.#noticesOf(fact)]);
  }

  /** The agent works no more. */
  close(): UiChunk[] {
    return this.#ofAsked(this.calls.close('The agent that made this call works no more.'));
  }

  #noticesOf(fact: Fact): UiChunk[] {
    const { runId, agent } = this.about;
    return this.#notices.of(fact).flatMap((chunk) => {
      if (chunk.type !== 'data-approval' && chunk.type !== 'data-question') return [];
      const toolCallId = idBelow(this.path, String(chunk.data.toolCallId));
      return [{ ...chunk, id: idBelow(this.path, chunk.id ?? ''), data: { ...chunk.data, toolCallId, runId, agent } }];
    });
  }

  #ofAsked(chunks: readonly UiChunk[]): UiChunk[] {
    return chunks.filter((chunk) => 'data' in chunk || ('toolCallId' in chunk && this.#asked.has(chunk.toolCallId)));
  }
}

function isAsking(fact: Fact): boolean {
  if (fact.type === 'service.called') return fact.kind === 'signal';
  return fact.type === 'approval.requested' || fact.type === 'question.asked';
}

/** The id of a call of an agent at a path, for readers of the run that it works for. */
export function idBelow(path: string, toolUseId: string): string {
  return path === '' ? toolUseId : `${path}/${toolUseId}`;
}

/** The call is one of an agent that works for the run. */
export function isBelow(toolCallId: string): boolean {
  return toolCallId.includes('/');
}

/** A call has its result, or has failed. */
export function isOutcome(fact: Fact): fact is Fact & { type: 'tool.result' | 'tool.error' } {
  return fact.type === 'tool.result' || fact.type === 'tool.error';
}

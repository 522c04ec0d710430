import type { Fact } from '../../../agent/protocol/facts/fact';
import { outageOfFact, outageText } from '../../../agent/state/outage-text';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';
import type { UiChunk } from './chunks';

/** What goes on beside the answer, as data parts. A part replaces the one with its id, so each has all that is known. */
export class Notices {
  readonly #known = new Map<string, JsonObject>();

  of(fact: Fact): UiChunk[] {
    return noticesOf(fact).map((chunk) => {
      if (!('data' in chunk) || chunk.id === undefined || chunk.type === 'data-status') return chunk;
      const key = `${chunk.type} ${chunk.id}`;
      const data = { ...this.#known.get(key), ...chunk.data };
      this.#known.set(key, data);
      return { ...chunk, data };
    });
  }
}

function noticesOf(fact: Fact): UiChunk[] {
  switch (fact.type) {
    case 'usage': {
      const { model, usage, cost, executionUnits } = fact;
      return [
        data('spent', `s${fact.turn}`, {
          turn: fact.turn,
          model,
          usage: { ...usage },
          executionUnits,
          ...defined({ cost: cost && { ...cost } }),
        }),
      ];
    }
    case 'model.waiting':
      return [status(outageText(outageOfFact(fact)), 'warn', { nextAt: fact.nextAt })];
    case 'model.retried':
      return [status(`${fact.model} is asked again.`)];
    case 'model.switched':
      return [status(`${fact.to} takes over from ${fact.from}.`)];
    case 'model.fallback':
      return [status('No model answers. A fixed answer takes its place.', 'warn')];
    case 'budget.soft':
      return [status('Most of the budget is used.')];
    case 'budget.reached':
      return [status('The budget is used up. The agent concludes.', 'warn')];
    case 'context.compacting':
      return [status('Old messages are being summed up.')];
    case 'context.compacted':
    case 'context.summary.failed':
      return [status(undefined)];
    case 'breaker.stopped':
      return [status('The agent makes no progress, and concludes.', 'warn')];
    case 'plan.made':
      return [data('plan', 'plan', { steps: fact.steps as unknown as JsonObject[] })];
    case 'plan.decided':
      return [data('plan', 'plan', { approved: fact.approved, steps: fact.steps as unknown as JsonObject[] })];
    case 'plan.step': {
      const { step, description, status: at, toolUseId, name, problem } = fact;
      const about = defined({ toolCallId: toolUseId, name, problem });
      return [data('plan-step', `p${step}`, { step, description, status: at, ...about })];
    }
    case 'question.asked': {
      const { questionId, toolUseId: toolCallId, name, question, suggestions, schema, url, expiresAt } = fact;
      const more = defined({ suggestions, schema: schema as JsonObject | undefined, url, expiresAt });
      return [data('question', questionId, { questionId, toolCallId, name, question, status: 'open', ...more })];
    }
    case 'question.answered':
    case 'question.declined':
    case 'question.expired':
    case 'question.withdrawn': {
      const { questionId, toolUseId: toolCallId, answer, by, type } = fact;
      const outcome = type.slice('question.'.length);
      return [data('question', questionId, { questionId, toolCallId, status: outcome, ...defined({ answer, by }) })];
    }
    case 'approval.requested': {
      const { toolUseId: toolCallId, name, input, hash, deciders, expiresAt, repeats } = fact;
      const more = defined({ deciders, expiresAt, repeats });
      return [data('approval', toolCallId, { toolCallId, name, input, hash, status: 'open', ...more })];
    }
    case 'approval.decided': {
      const { toolUseId: toolCallId, name, decision, by, comment, input } = fact;
      return [data('approval', toolCallId, { toolCallId, name, status: decision, by, ...defined({ comment, input }) })];
    }
    case 'approval.expired':
      return [data('approval', fact.toolUseId, { toolCallId: fact.toolUseId, name: fact.name, status: 'expired' })];
    case 'approval.escalated': {
      const { toolUseId: toolCallId, name, deciders, expiresAt } = fact;
      return [data('approval', toolCallId, { toolCallId, name, status: 'open', deciders, expiresAt })];
    }
    default:
      return [];
  }
}

function data(name: string, id: string, about: JsonObject): UiChunk {
  return { type: `data-${name}`, id, data: about };
}

/** One line about what is going on; without a text there is nothing left to say. */
export function status(
  text: string | undefined,
  level: 'info' | 'warn' = 'info',
  more: { nextAt?: number } = {},
): UiChunk {
  return data('status', 'status', { level, ...defined({ text, nextAt: more.nextAt }) });
}

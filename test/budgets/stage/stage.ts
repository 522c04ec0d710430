import { defineAgent, defineTool } from 'holdfast';
import type { ScriptedModel } from 'holdfast/testing';
import { z } from 'zod';
import type { ServerModel } from '../../../agent/model/config';
import type { ModelReply } from '../../kit/model-reply';

/** What a token costs: a call of 900 + 100 tokens is one dollar. */
export const TOKEN = 0.001;

/** Tokens of a call that costs one dollar. */
export const usage = (prompt = 900, completion = 100) => ({ usage: { prompt, completion } });

export const money = (amount: number, currency = 'USD') => ({ amount, currency });

export const note = defineTool({
  description: 'Notes something',
  effect: 'read',
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => `noted ${text}`,
});

/** Models on one scripted server: with prices in two currencies, and without. */
export function modelsOf(model: ScriptedModel): { [alias: string]: ServerModel } {
  const config: ServerModel = { baseUrl: model.url, model: 'scripted' };
  const list = { prompt: TOKEN * 1_000_000, completion: TOKEN * 1_000_000 };
  return {
    default: { ...config, prices: list },
    euros: { ...config, prices: { ...list, currency: 'EUR' } },
    free: config,
  };
}

/** The answers of each agent's model, by the agent's instructions, which are its name. */
export function scripts(model: ScriptedModel, said: { [instructions: string]: ModelReply[] }): void {
  const count = Object.values(said).reduce((sum, replies) => sum + replies.length, 0);
  const steps = Array.from(
    { length: count },
    () =>
      ({ request }: { request: { messages: { content?: unknown }[] } }) => {
        const reply = said[String(request.messages[0]?.content)]?.shift();
        if (reply === undefined) throw new Error(`Nothing is left to say for ${String(request.messages[0]?.content)}`);
        return reply;
      },
  );
  model.script(...steps);
}

/** An agent whose instructions are its name. */
export const agent = (name: string, more: Partial<Parameters<typeof defineAgent>[0]> = {}) =>
  defineAgent({ name: `budget.${name}`, instructions: name, ...more });

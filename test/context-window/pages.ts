import { defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, text } from 'holdfast/testing';
import { z } from 'zod';
import type { ChatRequest, ModelReply } from '../kit/model-reply';
import { asksForSummary, tokensOf } from './tokens';

const page = 'the quick brown fox jumps over the lazy dog. '.repeat(50).slice(0, 2048);

/** A tool with results of 2 KB, about 460 tokens. */
export const fetch = defineTool({
  description: 'Returns a text of 2 KB',
  effect: 'read',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => `R${n} ${page}`,
});

interface Reading {
  /** How many pages it reads. */
  rounds: number;
  /** Its summaries. Default: `SUMMARY`. */
  summary?: (request: ChatRequest) => ModelReply;
  /** Answers in place of the model where it returns something. */
  before?: (request: ChatRequest) => ModelReply | undefined;
}

/** Has the scripted model read page after page, and then say that it has. */
export function readPages(kit: AgentTestEnvironment, { rounds, summary = () => text('SUMMARY'), before }: Reading) {
  let round = 0;
  const step = ({ request }: { request: ChatRequest }): ModelReply => {
    const instead = before?.(request);
    if (instead !== undefined) return instead;
    if (asksForSummary(request)) return summary(request);
    const usage = { prompt: tokensOf(request), completion: 20 };
    return { ...(round < rounds ? call('fetch', { n: round++ }) : text('read it all')), usage };
  };
  kit.model.script(...Array.from({ length: 4 * rounds + 4 }, () => step));
}

/** The requests for answers. */
export function callsOf(kit: AgentTestEnvironment): ChatRequest[] {
  return kit.model.requests.map(({ body }) => body).filter((body) => !asksForSummary(body));
}

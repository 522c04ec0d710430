import { Context } from '@temporalio/activity';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { toJsonSchema } from '../../agent/contracts/schema';
import { INSTRUCTIONS, MODEL, TOOL, work } from '../work';

export interface BareAnswer {
  text: string;
  call?: { id: string; input: { text: string } };
}

export type BareActivities = ReturnType<typeof createBareActivities>;

/** The two activities of the bare loop: no checks, no heartbeat, no retries in the client, one client for all calls. */
export function createBareActivities(baseURL: string) {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const transcripts = new Map<string, ChatCompletionMessageParam[]>();

  return {
    /** Adds a message to the transcript and asks the model. */
    async callModel(news: ChatCompletionMessageParam): Promise<BareAnswer> {
      const { info, cancellationSignal: signal } = Context.current();
      const { runId } = info.workflowExecution ?? {};
      const messages = transcripts.get(runId ?? '') ?? [{ role: 'system', content: INSTRUCTIONS }];
      transcripts.set(runId ?? '', messages);
      messages.push(news);
      const stream = await client.chat.completions.create(
        { model: MODEL, messages, stream: true, stream_options: { include_usage: true }, tools: TOOLS },
        { signal },
      );
      const call = { id: '', name: '', arguments: '' };
      let text = '';
      for await (const { choices } of stream) {
        const delta = choices[0]?.delta;
        text += delta?.content ?? '';
        const piece = delta?.tool_calls?.[0];
        call.id ||= piece?.id ?? '';
        call.name ||= piece?.function?.name ?? '';
        call.arguments += piece?.function?.arguments ?? '';
      }
      if (call.id === '') {
        transcripts.delete(runId ?? '');
        return { text };
      }
      const { id, name, arguments: args } = call;
      messages.push({
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
      });
      return { text, call: { id, input: JSON.parse(args) } };
    },

    /** The tool. */
    async work({ text }: { text: string }): Promise<string> {
      return work(text);
    },
  };
}

// The schema omits the dialect, as in our own requests.
const { $schema: _, ...parameters } = toJsonSchema(TOOL.input);

const TOOLS: ChatCompletionTool[] = [
  { type: 'function', function: { name: TOOL.name, description: TOOL.description, parameters } },
];

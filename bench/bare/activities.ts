import { Context } from '@temporalio/activity';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { toJsonSchema } from '../../agent/contracts/schema';
import { INSTRUCTIONS, MODEL, TOOL, work } from '../work';
import { type BareAnswer, callMessage } from './messages';

export type BareActivities = ReturnType<typeof createBareActivities>;

/** The activities of the bare loops: no checks, no heartbeat, no retries in the client, one client for all calls. */
export function createBareActivities(baseURL: string) {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const transcripts = new Map<string, ChatCompletionMessageParam[]>();

  return {
    /** Adds a message to the transcript, which is in the memory of the worker, and asks the model. */
    async callModel(news: ChatCompletionMessageParam): Promise<BareAnswer> {
      const { runId = '' } = Context.current().info.workflowExecution ?? {};
      const messages = transcripts.get(runId) ?? [];
      transcripts.set(runId, messages);
      messages.push(news);
      const answer = await ask(client, messages);
      if (answer.call === undefined) transcripts.delete(runId);
      else messages.push(callMessage(answer.call));
      return answer;
    },

    /** Asks the model with the whole transcript. */
    async callModelWith(messages: ChatCompletionMessageParam[]): Promise<BareAnswer> {
      return ask(client, messages);
    },

    /** The tool. */
    async work({ text }: { text: string }): Promise<string> {
      return work(text);
    },
  };
}

async function ask(client: OpenAI, messages: ChatCompletionMessageParam[]): Promise<BareAnswer> {
  const system = { role: 'system', content: INSTRUCTIONS } as const;
  const stream = await client.chat.completions.create(
    {
      model: MODEL,
      messages: [system, ...messages],
      stream: true,
      stream_options: { include_usage: true },
      tools: TOOLS,
    },
    { signal: Context.current().cancellationSignal },
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
  const { id, name } = call;
  return id === '' ? { text } : { text, call: { id, name, input: JSON.parse(call.arguments) } };
}

// The schema omits the dialect, as in our own requests.
const { $schema: _, ...parameters } = toJsonSchema(TOOL.input);

const TOOLS: ChatCompletionTool[] = [
  { type: 'function', function: { name: TOOL.name, description: TOOL.description, parameters } },
];

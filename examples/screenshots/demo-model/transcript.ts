import type { ChatRequest } from 'holdfast/testing';

export type Action = 'list' | 'read' | 'move';

/** A tool call of the transcript and what came back. */
export interface Exchange {
  action: Action;
  args: { [name: string]: unknown };
  result: string;
}

export interface Transcript {
  /** The folder of the run. `undefined` if no message names one. */
  folder: string | undefined;
  /** It is a conversation. `asked`: the person has asked for new names. */
  chat?: { asked: boolean };
  /** The names of the tools in this request. Missing ones are left out. */
  tools: { [A in Action]?: string };
  exchanges: Exchange[];
}

const ENDINGS: { [A in Action]: string } = {
  list: 'list_directory',
  read: 'extract_text_from_image',
  move: 'move_file',
};

/** Reads a request. Nothing is remembered between two requests. */
export function readTranscript({ messages, tools = [] }: ChatRequest): Transcript {
  const names: Transcript['tools'] = {};
  for (const action of Object.keys(ENDINGS) as Action[]) {
    const tool = tools.find(({ function: { name } }) => name.endsWith(ENDINGS[action]));
    if (tool !== undefined) names[action] = tool.function.name;
  }
  const said = (role: string) => messages.filter((one) => one.role === role).map((one) => textOf(one.content));
  const named = said('user')
    .map(folderOf)
    .find((f) => f !== undefined);
  const chat = named === undefined ? folderOfChat(said('system')) : undefined;
  return {
    folder: named ?? chat,
    ...(chat === undefined ? {} : { chat: { asked: said('user').some(asksForNames) } }),
    tools: names,
    exchanges: exchangesOf(messages),
  };
}

/** The folder that the system prompt of a conversation names. */
function folderOfChat(system: readonly string[]): string | undefined {
  return /The folder is `([^`]+)`/.exec(system.join('\n'))?.[1];
}

function asksForNames(text: string): boolean {
  return /\b(?:re)?names?\b|screenshot|\b(?:yes|go|please|do it|start|ok)\b/i.test(text);
}

/** Results belong to the answer right before them, since a later answer may use the same ids. */
function exchangesOf(messages: ChatRequest['messages']): Exchange[] {
  const exchanges: Exchange[] = [];
  messages.forEach((message, i) => {
    const after = messages.slice(i + 1);
    const end = after.findIndex(({ role }) => role === 'assistant');
    const results = (end < 0 ? after : after.slice(0, end)).filter(({ role }) => role === 'tool');
    for (const call of message.tool_calls ?? []) {
      const action = actionOf(call.function.name);
      const result = results.find((r) => r.tool_call_id === call.id);
      const args = objectOf(call.function.arguments);
      if (action !== undefined && result !== undefined && args !== undefined) {
        exchanges.push({ action, args, result: textOf(result.content) });
      }
    }
  });
  return exchanges;
}

function actionOf(name: string): Action | undefined {
  return (Object.keys(ENDINGS) as Action[]).find((action) => name.endsWith(ENDINGS[action]));
}

function folderOf(text: string): string | undefined {
  const folder = objectOf(text)?.folder;
  return typeof folder === 'string' ? folder : undefined;
}

function objectOf(json: string): { [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(content: ChatRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('\n');
}

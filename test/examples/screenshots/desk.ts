import { basename } from 'node:path';
import type { ChatMessage, ChatRequest, ModelReply, ReplyCall } from 'holdfast/testing';
import { decide } from '../../../examples/screenshots/demo-model';

export const FOLDER = '/home/ann/Desktop';

export const TOOLS = {
  list: 'files_list_directory',
  read: 'ocr_extract_text_from_image',
  move: 'files_move_file',
} as const;

/** The wire form of an agent's three tools, with similar tools that must not be taken for them. */
const OFFERED = ['files_list_directory_with_sizes', ...Object.values(TOOLS), 'files_read_file'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: {} },
}));

/** A folder in memory, and the texts of its pictures. */
export class Desk {
  readonly files: Set<string>;
  readonly calls: ReplyCall[] = [];

  constructor(
    private readonly texts: { [file: string]: string },
    others: string[] = [],
    /** Answers instead of the tool if it returns a text. */
    private readonly disturb: (call: ReplyCall, desk: Desk) => string | undefined = () => undefined,
  ) {
    this.files = new Set([...Object.keys(texts), ...others]);
  }

  run(call: ReplyCall): string {
    this.calls.push(call);
    const args = call.arguments as { [name: string]: string };
    const disturbed = this.disturb(call, this);
    if (disturbed !== undefined) return disturbed;
    if (call.name === TOOLS.list) return [...this.files].map((file) => `[FILE] ${file}`).join('\n') || '(empty result)';
    if (call.name === TOOLS.read) return this.texts[basename(args.path ?? '')] ?? 'Cannot read it: no such file';
    return this.move(args.source ?? '', args.destination ?? '');
  }

  move(source: string, destination: string): string {
    if (this.files.has(basename(destination))) return `Destination already exists: ${destination}`;
    if (!this.files.delete(basename(source))) return `ENOENT: no such file or directory, rename '${source}'`;
    this.files.add(basename(destination));
    return `Successfully moved ${source} to ${destination}`;
  }
}

export function start(): ChatMessage[] {
  return [
    { role: 'system', content: 'You rename screenshots.' },
    { role: 'user', content: JSON.stringify({ folder: FOLDER }) },
  ];
}

export function ask(messages: ChatMessage[], extra: Partial<ChatRequest> = {}): ModelReply {
  return decide({ model: 'demo', messages: structuredClone(messages), tools: OFFERED, ...extra });
}

/** Appends an answer and the results of its calls. Every answer uses the same ids, as with some providers. */
export function append(messages: ChatMessage[], { text, calls = [] }: ModelReply, run: (call: ReplyCall) => string) {
  const ids = calls.map((_, i) => `call_${i}`);
  const toolCalls = calls.map((call, i) => ({
    id: ids[i] as string,
    type: 'function' as const,
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  messages.push({ role: 'assistant', content: text ?? null, ...(calls.length > 0 ? { tool_calls: toolCalls } : {}) });
  const results = calls.map((call, i) => ({
    role: 'tool' as const,
    tool_call_id: ids[i] as string,
    content: run(call),
  }));
  // The runner decides the order of results, not the model.
  messages.push(...results.reverse());
}

/** Lets the model work until it makes no more calls, for at most `turns` turns. `undefined` at that limit. */
export function work(desk: Desk, messages = start(), turns = 40): string | undefined {
  for (let turn = 0; turn < turns; turn++) {
    const reply = ask(messages);
    append(messages, reply, (call) => desk.run(call));
    if (reply.calls === undefined) return reply.text ?? '';
  }
  return undefined;
}

import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';
import type { ProviderRequest } from './provider';

/** What each protocol demands of a request, as far as its servers refuse one without it. Returns what is broken. */
export const WIRE_RULES: { readonly [name: string]: (request: ProviderRequest) => string[] } = {
  'OpenAI chat completions': ({ body }) => chatRules(objects(body.messages)),
  'an Ollama-style server': ({ body }) => chatRules(objects(body.messages)),
  'OpenAI Responses': ({ body }) => responsesRules(objects(body.input)),
  'Anthropic messages': ({ body }) => anthropicRules(objects(body.messages)),
  'Google generateContent': ({ body }) => googleRules(objects(body.contents)),
  'a function': ({ body }) => functionRules(objects(body.messages)),
};

/** Images that providers take: not one of them takes a drawing. */
const IMAGE = /^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/;

const isBlank = (value: Json | undefined) => typeof value !== 'string' || value.trim() === '';

/** Calls and their results, in the order of the request. */
class Calls {
  readonly problems: string[] = [];
  readonly #all = new Set<string>();
  #open = new Set<string>();

  constructor(private readonly pattern: RegExp) {}

  call(id: Json | undefined): void {
    if (typeof id !== 'string' || !this.pattern.test(id)) this.problems.push(`the id ${JSON.stringify(id)}`);
    if (this.#all.has(String(id))) this.problems.push(`the id ${String(id)} twice`);
    this.#all.add(String(id));
    this.#open.add(String(id));
  }

  result(id: Json | undefined): void {
    if (!this.#open.delete(String(id))) this.problems.push(`a result of ${String(id)}, which no call before it has`);
  }

  /** Something else than a result follows. */
  over(): void {
    if (this.#open.size > 0) this.problems.push(`no results of ${[...this.#open].join()}`);
    this.#open = new Set();
  }
}

function chatRules(messages: readonly JsonObject[]): string[] {
  const calls = new Calls(/./s);
  for (const { role, content, tool_calls: made, tool_call_id: id } of messages) {
    if (role === 'tool') {
      calls.result(id);
      if (content === '') calls.problems.push('an empty result');
      continue;
    }
    calls.over();
    for (const call of objects(made)) calls.call(call.id);
    for (const { type, image_url: image, file } of objects(content)) {
      const { url } = isJsonObject(image) ? image : {};
      const { file_data: data } = isJsonObject(file) ? file : {};
      if (type === 'image_url' && !IMAGE.test(String(url))) calls.problems.push(`the image ${String(url)}`);
      // An address is refused here.
      if (type === 'file' && !String(data).startsWith('data:')) calls.problems.push(`the file ${String(data)}`);
    }
    const isEmpty = Array.isArray(content) ? content.length === 0 : isBlank(content);
    if (isEmpty && objects(made).length === 0) calls.problems.push(`an empty message of ${String(role)}`);
  }
  calls.over();
  return calls.problems;
}

function responsesRules(items: readonly JsonObject[]): string[] {
  const calls = new Calls(/^.{1,64}$/s);
  for (const [place, { type, role, content, output, call_id: id }] of items.entries()) {
    const next = items[place + 1];
    if (type === 'reasoning') {
      const follows = next?.type === 'function_call' || next?.role === 'assistant';
      if (!follows) calls.problems.push('reasoning without the item that follows from it');
    } else if (type === 'function_call') calls.call(id);
    else if (type === 'function_call_output') {
      calls.result(id);
      if (output === '') calls.problems.push('an empty result');
      calls.problems.push(...mediaOfInput(output));
    } else if (role === 'user') {
      calls.over();
      calls.problems.push(...mediaOfInput(content));
      if (!Array.isArray(content) && isBlank(content)) calls.problems.push('an empty message');
    }
  }
  calls.over();
  return calls.problems;
}

function mediaOfInput(content: Json | undefined): string[] {
  return objects(content).flatMap(({ type, image_url: url, file_data: data, file_url: address }) => {
    if (type === 'input_image' && !IMAGE.test(String(url))) return [`the image ${String(url)}`];
    const isFile = String(data).startsWith('data:') || String(address).startsWith('https:');
    return type === 'input_file' && !isFile ? [`the file ${String(data ?? address)}`] : [];
  });
}

function anthropicRules(messages: readonly JsonObject[]): string[] {
  const calls = new Calls(/^[a-zA-Z0-9_-]+$/);
  const { problems } = calls;
  let before: Json | undefined = 'assistant';
  for (const { role, content } of messages) {
    const blocks = objects(content);
    if (role === before) problems.push(`two messages of ${String(role)}`);
    before = role;
    if (blocks.length === 0) problems.push(`an empty message of ${String(role)}`);
    if (role === 'assistant') calls.over();
    let isPast = false;
    for (const { type, text, source, signature, id, tool_use_id: of, content: inner } of blocks) {
      const texts = type === 'text' ? [text] : objects(inner).flatMap((one) => (one.type === 'text' ? [one.text] : []));
      if (texts.some(isBlank)) problems.push('a text without anything but blanks');
      const media = [{ type, source }, ...objects(inner)].filter(
        (one) => one.type === 'image' && isJsonObject(one.source),
      );
      for (const { source: from } of media as { source: JsonObject }[]) {
        const isTaken = from.type === 'url' || IMAGE.test(`data:${String(from.media_type)};base64,`);
        if (!isTaken) problems.push(`an image of ${String(from.media_type)}`);
      }
      if (type === 'thinking' && isBlank(signature)) problems.push('thinking without a signature');
      if (type === 'tool_use') calls.call(id);
      if (type === 'tool_result') {
        calls.result(of);
        if (isPast) problems.push('a result after a text');
        if (typeof inner === 'string' && isBlank(inner)) problems.push('an empty result');
      } else if (role === 'user') isPast = true;
    }
    if (role === 'user') calls.over();
  }
  if (before === 'assistant') problems.push('an answer at the end');
  return problems;
}

function googleRules(contents: readonly JsonObject[]): string[] {
  const problems: string[] = [];
  let open = 0;
  let before: Json | undefined;
  for (const { role, parts: given } of contents) {
    const parts = objects(given);
    const called = parts.filter(({ functionCall }) => functionCall !== undefined).length;
    const results = parts.filter(({ functionResponse }) => functionResponse !== undefined).length;
    for (const { inlineData, fileData } of parts) {
      const { mimeType } = isJsonObject(inlineData) ? inlineData : {};
      if (/^image\/(?!png|jpeg|webp|hei[cf])/.test(String(mimeType))) problems.push(`an image of ${String(mimeType)}`);
      // The model of these tests is none that opens addresses.
      if (fileData !== undefined) problems.push(`the address ${JSON.stringify(fileData)}`);
    }
    if (parts.length === 0) problems.push(`a content of ${String(role)} without parts`);
    if (open !== results) problems.push(`${results} results of ${open} calls`);
    if (called > 0 && before !== 'user') problems.push('calls that follow no message of the user');
    open = called;
    before = role;
  }
  if (contents[0]?.role !== 'user') problems.push('an answer at the beginning');
  if (open > 0) problems.push('calls without results');
  return problems;
}

function functionRules(messages: readonly JsonObject[]): string[] {
  const calls = new Calls(/./s);
  for (const { role, content, id } of messages) {
    if (role === 'tool') {
      calls.result(id);
      continue;
    }
    calls.over();
    for (const part of objects(content)) if (part.type === 'call') calls.call(part.id);
  }
  calls.over();
  return calls.problems;
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

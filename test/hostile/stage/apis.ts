import type { ServerModel } from '../../../agent/model/config';
import type { Json } from '../../../agent/values/json';
import { deltaOf, ended, event } from './hostile-model';

/** An API of model servers, in the bytes that a hostile server sends. */
export interface HostileApi {
  name: string;
  /** What the configuration of a model says to be reached through it. */
  config: Partial<ServerModel>;
  /** Events of a stream, each with its frame: a piece of text, of a refusal, a whole call, an event without content. */
  text(content: string): string;
  refusal(content: string): string;
  call(call: { index: number; id: string; name: string; arguments: string }): string;
  reasoning(content: string): string;
  padding(content: string): string;
  /** @param tokens JSON, which may be no number of tokens */
  usage(tokens: string): string;
  /** The last event of an answer. */
  ended(how?: { calls: true }): string;
  /** The answer of a server that does not stream. */
  whole(content: string): string;
  /** Events with a huge field that is not part of the answer itself. */
  beside(huge: string): [name: string, event: Json][];
}

const calls = (...list: Json[]) => ({ choices: [{ delta: { tool_calls: list } }] });

const chat: HostileApi = {
  name: 'chat completions',
  config: {},
  text: (content) => deltaOf({ content }),
  refusal: (refusal) => deltaOf({ refusal }),
  call: ({ index, id, name, arguments: args }) =>
    deltaOf({ tool_calls: [{ index, id, function: { name, arguments: args } }] }),
  reasoning: (reasoning) => deltaOf({ reasoning }),
  padding: (padding) => event({ choices: [], padding }),
  usage: (tokens) => `data: {"choices":[],"usage":{"prompt_tokens":${tokens},"completion_tokens":${tokens}}}\n\n`,
  ended: (how) => ended(how === undefined ? 'stop' : 'tool_calls'),
  whole: (content) => JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }),
  beside: (huge) => [
    ['the name of the model', { model: huge, choices: [] }],
    ['the name of a tool', calls({ index: 0, function: { name: huge, arguments: '{}' } })],
    ['the id of a call', calls({ index: 0, id: huge, function: { name: 'look_up' } })],
    ['a finish_reason', { choices: [{ delta: {}, finish_reason: huge }] }],
    ['a field', { choices: [{ delta: { other: huge } }] }],
    ['a field of a call', calls({ index: 0, function: { name: 'look_up' }, other: huge })],
  ],
};

/** The APIs that hostile servers are tested with. One entry adds another. */
export const APIS: readonly HostileApi[] = [chat];

/** For `describe.each`. */
export const EACH_API = APIS.map((api) => [api.name, api] as const);

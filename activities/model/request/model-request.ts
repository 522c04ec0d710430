import type { ModelRequest } from '../../../agent/model/adapter';
import type { ModelConfig } from '../../../agent/model/config';
import type { Message } from '../../../agent/model/message';
import { sentMessages } from '../../../agent/model/sent-messages';
import { settingsOf, type ToolChoice } from '../../../agent/model/settings';
import { toolChoiceFor } from '../../../agent/model/tool-choice';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { JsonSchema, ToolSpec } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { remembered } from '../../../agent/values/remembered';
import { wellFormed } from '../../../agent/values/well-formed';
import { echoFor } from '../answer/provider-data';
import { dialectOf, outputOf, systemWith } from '../output/describe-output';
import type { Terms } from '../output/terms';
import { callsInWords, isUnsigned } from './calls-in-words';
import { type MediaMask, maskMedia } from './mask-media';

export interface RequestArgs {
  config: ModelConfig;
  system?: string | null | undefined;
  messages: readonly Message[];
  /** All tools of the agent: earlier calls in the transcript are named by them. */
  tools: readonly ToolSpec[];
  /** Those that the model sees. Default: all. */
  offered?: readonly ToolSpec[];
  /** JSON Schema of the agent's output. */
  output?: JsonSchema | undefined;
  /** Default: the schema is a field of the request, schemas name their dialect, and calls are calls. */
  terms?: Terms;
  /** `none`: the tools stay in the request, for the provider's cache, but may not be called. */
  toolChoice?: 'none' | undefined;
  /** The exchange has no call of a tool yet: a tool choice of the model that forces one applies. */
  uncalled?: boolean | undefined;
  /** Number of the call about to be made, from 1: media that earlier calls showed are masked. */
  call: number;
  /** Default: all earlier calls count. */
  mediaAgain?: CallModelInput['mediaAgain'] | undefined;
  /** Default: media are shown once. */
  mask?: MediaMask | undefined;
  /** The last message has sections of this call only. */
  turnMessage?: boolean | undefined;
  /** Sent in addition to the headers of the model's configuration. */
  headers?: { readonly [name: string]: string };
}

const BEST: Terms = { structuredOutput: 'schema', namesDialect: true, callsOfOthers: true };

/** The same map for the same tools, and the same function for the same model: what was sent is then known. */
const modelNamesOf = remembered((tools: readonly ToolSpec[]) => {
  return new Map(tools.map((tool) => [tool.name, tool.modelName]));
});
const echoOf = remembered(
  (config: ModelConfig) =>
    ({ providerData }: Message) =>
      echoFor(config, providerData),
);

/** The request of a model call, for any adapter. Pure: the same arguments give the same request. */
export function modelRequest(args: RequestArgs): ModelRequest {
  const { config, tools: all, offered: tools = all, output: schema, headers = {}, terms = BEST } = args;
  const hasTools = tools.length > 0;
  const { structuredOutput, namesDialect, callsOfOthers } = terms;
  const prompt = args.system ? wellFormed(args.system) : undefined;
  const system = systemWith(prompt, schema, { structuredOutput, hasTools });
  const output = schema === undefined ? undefined : outputOf(schema, terms);
  const { parallelToolCalls, toolChoice: _, ...settings } = settingsOf(config);
  const toolChoice = toolChoiceOf(args);
  const messages = sentMessages({
    messages: maskMedia(args.messages, { turn: args.call, ...defined({ mediaAgain: args.mediaAgain }) }, args.mask),
    modelNames: modelNamesOf(all),
    echo: echoOf(config),
  });
  return {
    model: config.model,
    ...defined({ system }),
    messages: callsOfOthers ? messages : callsInWords(messages, isUnsigned),
    tools: tools.map(({ modelName: name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: dialectOf(inputSchema, namesDialect),
    })),
    // Servers reject these fields in a request without tools.
    ...(hasTools ? defined({ toolChoice, parallelToolCalls }) : {}),
    ...defined({ output }),
    ...(args.turnMessage === true ? { turnMessage: true } : {}),
    settings,
    headers,
  };
}

/** The tool choice of a request. */
export function toolChoiceOf({
  config,
  tools: all,
  offered: tools = all,
  toolChoice,
  uncalled = false,
}: Pick<RequestArgs, 'config' | 'tools' | 'offered' | 'toolChoice' | 'uncalled'>): ToolChoice | undefined {
  return toolChoiceFor(settingsOf(config).toolChoice, { concludes: toolChoice === 'none', uncalled, tools });
}

import { firstTerms } from '../../../activities/model/output/terms';
import { forPurpose } from '../../../activities/model/purpose/for-purpose';
import { modelRequest, type RequestArgs } from '../../../activities/model/request/model-request';
import { withSentTools } from '../../../activities/model/request/sent-tools';
import { modelInEffect } from '../../../activities/model/settings/model-in-effect';
import { inTextOf, textRequest } from '../../../activities/model/text-calls/text-request';
import { sentOf } from '../../../activities/model/window/fit-call';
import { shortenResults } from '../../../activities/model/window/shorten-results';
import { toolsOffered } from '../../../activities/tool-filter/offer-tools';
import type { ModelRequest } from '../../../agent/model/adapter';
import type { ModelConfig } from '../../../agent/model/config';
import type { ContextSummary } from '../../../agent/model/context-window';
import type { Message } from '../../../agent/model/message';
import { askedIn, withSections } from '../../../agent/prompt-sections/turn-message';
import type { CallModelInput, CallModelResult } from '../../../agent/protocol/calls/model-call';
import type { SentSection } from '../../../agent/protocol/calls/sent-sections';
import type { Manifest, RunContext, ToolSpec } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { pinnedBefore } from '../../../agent/window/cut';

/** What a request is made of. */
export interface RequestParts {
  input: Pick<
    CallModelInput,
    'turn' | 'trimming' | 'opened' | 'structuredOutput' | 'toolChoice' | 'uncalled' | 'purpose' | 'filter' | 'reminder'
  >;
  result?: CallModelResult | undefined;
  manifest: Manifest;
  context: RunContext;
  config: ModelConfig;
  /** The transcript of the call. */
  messages: readonly Message[];
  summary: ContextSummary | undefined;
  sections: readonly SentSection[];
}

/** The request of a call, as the worker made it, or would make it. Pure. */
export function rebuildRequest(parts: RequestParts): ModelRequest {
  const { input, result, config, sections } = parts;
  const call = withSentTools(forPurpose({ ...parts, messages: [...parts.messages] }, input), input);
  const { manifest } = call;
  const { system, messages } = chosen(call);
  const inText = inTextOf(manifest, input);
  const args: RequestArgs = {
    config: modelInEffect(config, parts.manifest, undefined),
    system,
    messages: withSections({
      messages,
      sections,
      asked: askedIn(call.messages, input.opened),
      turn: input.turn,
    }),
    tools: manifest.tools,
    ...defined({ offered: offeredIn(manifest, parts) }),
    output: manifest.output,
    terms: firstTerms(config, manifest.output, result?.downgraded?.to ?? input.structuredOutput),
    toolChoice: input.toolChoice,
    uncalled: input.uncalled,
    call: input.turn,
  };
  return inText === undefined ? modelRequest(args) : textRequest(args, inText);
}

/** The tools of the filter, as the answer tells them, or as the call before it had them. */
function offeredIn(manifest: Manifest, { input: { filter }, result }: RequestParts): ToolSpec[] | undefined {
  if (filter === undefined || manifest.tools.length === 0) return undefined;
  return toolsOffered(manifest, { ...filter, ...defined({ ranked: result?.offered?.ranked }) });
}

/** What was sent of the transcript: the worker tells which messages it left out. */
function chosen({ input, result, manifest, context, messages: all, summary }: RequestParts): {
  system: string | undefined;
  messages: readonly Message[];
} {
  const { trimming, opened = -1 } = input;
  const from = result?.trimming?.from ?? trimming?.from;
  if (from === undefined) return { system: context.system, messages: all };
  const messages = shortenResults(all, trimming?.shortened);
  const pinned = pinnedBefore(from, { messages, opened });
  const sent = [...pinned, ...Array.from({ length: messages.length - from }, (_, i) => from + i)];
  const { prompt, sent: shown } = sentOf(
    { messages, summary, context, manifest },
    { from, sent, tokens: 0, fits: true },
  );
  return { system: prompt, messages: shown };
}

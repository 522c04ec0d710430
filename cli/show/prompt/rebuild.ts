import { firstTerms } from '../../../activities/model/output/terms';
import { modelRequest } from '../../../activities/model/request/model-request';
import { modelInEffect } from '../../../activities/model/settings/model-in-effect';
import { sentOf } from '../../../activities/model/window/fit-call';
import { shortenResults } from '../../../activities/model/window/shorten-results';
import type { ModelRequest } from '../../../agent/model/adapter';
import type { ModelConfig } from '../../../agent/model/config';
import type { ContextSummary } from '../../../agent/model/context-window';
import type { Message } from '../../../agent/model/message';
import { askedIn, withSections } from '../../../agent/prompt-sections/turn-message';
import type { CallModelInput, CallModelResult } from '../../../agent/protocol/calls/model-call';
import type { SentSection } from '../../../agent/protocol/calls/sent-sections';
import type { Manifest, RunContext } from '../../../agent/protocol/manifest';
import { pinnedBefore } from '../../../agent/window/cut';

/** What a request is made of. */
export interface RequestParts {
  input: Pick<CallModelInput, 'turn' | 'trimming' | 'opened' | 'structuredOutput' | 'toolChoice' | 'uncalled'>;
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
  const { input, result, manifest, config, sections } = parts;
  const { system, messages } = chosen(parts);
  return modelRequest({
    config: modelInEffect(config, manifest, undefined),
    system,
    messages: withSections({
      messages,
      sections,
      asked: askedIn(parts.messages, input.opened),
      turn: input.turn,
    }),
    tools: manifest.tools,
    output: manifest.output,
    terms: firstTerms(config, manifest.output, result?.downgraded?.to ?? input.structuredOutput),
    toolChoice: input.toolChoice,
    uncalled: input.uncalled,
    call: input.turn,
  });
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

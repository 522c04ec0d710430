import type { Client } from '@temporalio/client';
import type { ModelMessage } from '../../../agent/model/adapter';
import type { ModelConfig } from '../../../agent/model/config';
import type { ContextSummary } from '../../../agent/model/context-window';
import { turnText } from '../../../agent/prompt-sections/default-texts';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { SentSection } from '../../../agent/protocol/calls/sent-sections';
import type { Manifest, RunContext } from '../../../agent/protocol/manifest';
import { QUERY, type TranscriptPage } from '../../../agent/protocol/queries';
import { defined } from '../../../agent/values/defined';
import { patientQuery } from '../../../client/requests/patient-query';
import { type RecordedCall, recordedCall } from '../../../client/runs/model-calls';
import { RunHandle } from '../../../client/runs/run-handle';
import { sha256 } from '../../../runtime/sha256';
import { rebuildRequest } from './rebuild';

/** What a model is sent, without settings and headers. */
export interface PromptView {
  id: string;
  turn: number;
  /** Alias of the model. */
  model: string;
  /** `sent`: this was sent. `sending`: the call is in progress, or failed. `next`: no model was called yet. */
  state: 'sent' | 'sending' | 'next';
  system?: string;
  messages: ModelMessage[];
  /** Names of the tools, as the model knows them. */
  tools: string[];
  toolChoice?: unknown;
  /** The turn message. Missing: the agent has none. */
  sections?: { hash?: string; names: string[] /** Sections whose functions run with the call. */; unknown?: string[] };
  /** What differs from the request, or may. */
  notes: string[];
}

interface PromptOptions {
  /** Default: the last call. */
  turn?: number | undefined;
  models: Readonly<Record<string, ModelConfig>>;
  workerTimeout: number;
}

/**
 * What the last call of a run, or of one of its turns, sent; without a call, what the first one will send. Missing: the
 * run has no such call.
 * @throws HoldfastError `RunNotFound`, `NoWorker`, `NoServer`
 */
export async function viewPrompt(
  client: Client,
  id: string,
  { turn, models, workerTimeout }: PromptOptions,
): Promise<PromptView | undefined> {
  const ask = <T>(name: string, argument: unknown) => patientQuery<T>(client, id, name, { argument, workerTimeout });
  const manifest = await ask<Manifest | null>(QUERY.pinned, 'manifest');
  const context = await ask<RunContext | null>(QUERY.pinned, 'context');
  const summary = await ask<ContextSummary | null>(QUERY.pinned, 'summary');
  const call = await recordedCall(client, id, turn);
  if (manifest === null || context === null || (call === undefined && turn !== undefined)) return undefined;
  const all = await new RunHandle(client, id, { workerTimeout }).transcript();
  const input = call?.input ?? firstInput(manifest, all.length);
  const { epoch } = await ask<TranscriptPage>(QUERY.transcript, all.length);
  const { sections, unknown } = sectionsOf(manifest, call);
  const config = models[input.model];
  const wanted = input.trimming?.summary;
  const known = summary !== null && wanted === sha256(JSON.stringify(summary)) ? summary : undefined;
  const request = rebuildRequest({
    ...{ input, manifest, context, sections, summary: known },
    result: call?.result,
    config: config ?? { baseUrl: 'http://unknown', model: input.model },
    messages: all.slice(0, input.transcript.length),
  });
  const { hash } = call?.result?.sections ?? {};
  return {
    id,
    turn: input.turn,
    model: input.model,
    state: call === undefined ? 'next' : call.result === undefined ? 'sending' : 'sent',
    ...defined({ system: request.system, toolChoice: request.toolChoice }),
    messages: [...request.messages],
    tools: request.tools.map(({ name }) => name),
    ...(manifest.prompt === undefined
      ? {}
      : {
          sections: {
            ...defined({ hash }),
            names: sections.map(({ name }) => name),
            ...(unknown.length > 0 && { unknown }),
          },
        }),
    notes: [
      ...(config === undefined
        ? [`The model \`${input.model}\` is not in the configuration here: what is special to it is not shown.`]
        : []),
      ...(input.transcript.epoch === epoch ? [] : ['Messages were dropped since: the ones shown may be others.']),
      ...(wanted !== undefined && known === undefined
        ? ['The summary of earlier messages has changed since, and is not shown.']
        : []),
    ],
  };
}

function firstInput(
  { models }: Manifest,
  length: number,
): Pick<CallModelInput, 'turn' | 'model' | 'transcript' | 'trimming' | 'opened'> {
  return { turn: 1, model: models[0] ?? 'default', transcript: { epoch: 0, length, hash: '' } };
}

/** As sent, or as far as they are known before the functions have run. */
function sectionsOf(
  manifest: Manifest,
  call: RecordedCall | undefined,
): { sections: SentSection[]; unknown: string[] } {
  const { prompt } = manifest;
  if (prompt === undefined) return { sections: [], unknown: [] };
  if (call?.result?.sections !== undefined) {
    const { names } = call.result.sections;
    return { sections: call.sections ?? [], unknown: call.sections === undefined ? names : [] };
  }
  const sections = prompt.sections.flatMap(({ name, after, ...made }): SentSection[] => {
    const text = made.from === 'text' ? made.text : made.from === 'default' ? turnText(name, manifest) : undefined;
    return text === undefined || text.trim() === '' ? [] : [{ name, text, ...defined({ after }) }];
  });
  return { sections, unknown: prompt.sections.filter(({ from }) => from === 'function').map(({ name }) => name) };
}

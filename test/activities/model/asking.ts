import { ApplicationFailure } from '@temporalio/common';
import { type StreamAnswerArgs, streamAnswer } from '../../../activities/model/answer/stream-answer';
import { type AskOnTermsArgs, askOnTerms } from '../../../activities/model/output/ask-on-terms';
import type { ModelConfig, ServerModel } from '../../../agent/model/config';
import type { JsonObject } from '../../../agent/values/json';
import { closeAfterTest } from '../../close-after-test';
import { ScriptedModel, type ScriptStep } from '../../kit/scripted-model';

export async function model(...steps: ScriptStep[]): Promise<ScriptedModel> {
  const started = closeAfterTest(await new ScriptedModel(...steps).start());
  return started;
}

export const configOf = (server: ScriptedModel, extra: Partial<ServerModel> = {}): ServerModel => ({
  baseUrl: server.url,
  model: 'm',
  ...extra,
});

export function ask(config: ModelConfig, extra: Partial<StreamAnswerArgs & AskOnTermsArgs> = {}) {
  const args = {
    config,
    messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }], turn: 0 }],
    tools: [],
    call: 1,
    signal: new AbortController().signal,
    onDelta: () => {},
    ...extra,
  };
  return askOnTerms(args, (terms) => streamAnswer({ ...args, terms }));
}

export async function failureOf(work: Promise<unknown>): Promise<ApplicationFailure> {
  const error = await work.then(
    (value) => new Error(`No failure but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApplicationFailure)) throw error;
  return error;
}

export const delta = (fields: JsonObject, finish: string | null = null): JsonObject => ({
  model: 'm',
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
export const end = (finish = 'stop') => delta({}, finish);

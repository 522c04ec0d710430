import { openAiForm } from '../../agent/model/chat/openai-form';
import type { Exported } from './exported';

/** A transcript as OpenAI chat messages, one JSON object per line. Calls and results have our ids. */
export function chatLines({ system, messages, modelNames }: Exported): string {
  return openAiForm(messages, { system, modelNames })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

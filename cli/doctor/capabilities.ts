import { DEFAULT_POLICY } from '../../activities/context/default-policy';
import { ModelCallStopped } from '../../activities/model/answer/stream-answer';
import { readOutput } from '../../activities/output/read-output';
import { type ErrorType, messageOf } from '../../agent/errors/error';
import { type ContentPart, textOf } from '../../agent/model/message';
import type { JsonSchema, ToolSpec } from '../../agent/protocol/manifest';
import { isJsonObject } from '../../agent/values/json';
import { visible } from '../../agent/values/visible';
import { oneLine } from '../lines/facts/fact-line';
import { usageText } from '../lines/spent-text';
import { problemOf } from './failure-data';
import type { Tried, TryModel } from './try-model';

/** Whether a model can do something, and how that is known. */
export interface Capability {
  name: 'stream' | 'usage' | 'tools' | 'parallel tools' | 'structured output' | 'images' | 'caching';
  works: 'ok' | 'no' | 'unknown';
  reason: string;
}

/** Maximum tokens of a short answer: the lowest limit that every server accepts. */
export const SHORT = 16;
/** Maximum tokens of an answer that needs room, for a little reasoning as well. */
const ROOM = 300;

/** What a model can do, after a `first` call that it has answered. Makes five more calls. */
export async function capabilitiesOf(tryModel: TryModel, first: Tried): Promise<Capability[]> {
  return [
    streams(first),
    usage(first),
    ...(await tools(tryModel)),
    await structuredOutput(tryModel),
    await images(tryModel),
    await caching(tryModel),
  ];
}

function streams({ pieces }: Tried): Capability {
  if (pieces === 0) return unknown('stream', 'the answer had no text');
  return pieces === 1
    ? no('stream', 'the answer came in one piece')
    : ok('stream', `the answer came in ${pieces} pieces`);
}

function usage({ usage: reported }: Tried): Capability {
  return reported === undefined
    ? no('usage', 'the server reports no numbers that can be right: tokens are estimated')
    : ok('usage', `the server reports ${usageText(reported)}`);
}

const WEATHER: ToolSpec = {
  ...DEFAULT_POLICY,
  kind: 'internal',
  name: 'weather',
  modelName: 'weather',
  description: 'Tells the weather in a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

async function tools(tryModel: TryModel): Promise<Capability[]> {
  const asked = 'What is the weather in Paris and in Rome? Call the tool for both cities at once.';
  const found = await triedTo('tools', () => tryModel({ ...prompt(asked), tools: [WEATHER], maxTokens: ROOM }));
  if ('works' in found) return [found, unknown('parallel tools', 'tools are not known to work')];
  const { toolRequests, finishReason } = found.answer;
  const good = toolRequests.filter(({ name, problem }) => name === WEATHER.modelName && problem === undefined);
  const [bad] = toolRequests.map(({ name, problem }) =>
    name === WEATHER.modelName ? problem?.message : `it called \`${visible(name)}\`, which it was not offered`,
  );
  if (good.length === 0) {
    if (finishReason === 'length') return [cut('tools'), unknown('parallel tools', 'no tool was called')];
    return [no('tools', bad ?? 'it answered without the tool'), unknown('parallel tools', 'no tool was called')];
  }
  return [
    ok('tools', `it called the tool with ${JSON.stringify(good[0]?.input)}`),
    good.length > 1
      ? ok('parallel tools', `${good.length} calls came in one answer`)
      : no('parallel tools', 'one call came where two were asked for'),
  ];
}

const CITY: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

/** The prompt does not ask for JSON: only the schema does. */
async function structuredOutput(tryModel: TryModel): Promise<Capability> {
  const name = 'structured output';
  const asked = prompt('What is the capital of France?');
  const found = await triedTo(name, () => tryModel({ ...asked, output: CITY, maxTokens: ROOM }));
  if ('works' in found) return found;
  const { answer } = found;
  const { downgraded } = answer;
  const how =
    downgraded === undefined
      ? ''
      : `; asked by \`${downgraded.to}\`, since the server refuses \`${downgraded.from}\` (${downgraded.why})`;
  if (hasCity(textOf(answer))) return ok(name, `the answer fits the schema${how}`);
  return answer.finishReason === 'length' ? cut(name) : no(name, `the answer does not fit the schema${how}`);
}

function hasCity(text: string): boolean {
  const said = readOutput(text, CITY);
  return said.type === 'json' && isJsonObject(said.value) && typeof said.value.city === 'string';
}

/** One red pixel. */
const PIXEL: ContentPart = {
  type: 'media',
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC',
};

async function images(tryModel: TryModel): Promise<Capability> {
  const parts = [...prompt('Reply with OK').parts, PIXEL];
  const found = await triedTo('images', () => tryModel({ parts, maxTokens: SHORT }));
  return 'works' in found ? found : ok('images', 'an image of 1×1 pixels was accepted');
}

/** About 1,500 tokens: providers cache prompts from 1,024 tokens on (OpenAI, Anthropic's larger models). */
const LONG = Array.from({ length: 100 }, (_, i) => `Rule ${i}: answer in one word, without any mark.`).join('\n');

async function caching(tryModel: TryModel): Promise<Capability> {
  const ask = () => triedTo('caching', () => tryModel({ ...prompt('Reply with OK'), system: LONG, maxTokens: SHORT }));
  const before = await ask();
  if ('works' in before) return before;
  const found = await ask();
  if ('works' in found) return found;
  const { usage: second } = found;
  if (second === undefined) return unknown('caching', 'the server reports no numbers that can be right');
  const { prompt: all, cached = 0 } = second;
  return cached > 0
    ? ok('caching', `${cached} of ${all} tokens of a repeated prompt came from the cache`)
    : no('caching', `none of ${all} tokens of a repeated prompt came from a cache`);
}

function prompt(text: string): { parts: ContentPart[] } {
  return { parts: [{ type: 'text', text }] };
}

/** Errors that say that the provider does not offer something, after a call without it was answered. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorType>(['ModelRequestInvalid', 'ModelNotFound']);

async function triedTo(name: Capability['name'], call: () => Promise<Tried>): Promise<Tried | Capability> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ModelCallStopped) return unknown(name, 'no answer came in time');
    const isRefused = error instanceof Error && 'type' in error && REFUSALS.has(String(error.type));
    // The advice of the error is for a run: here the request was to fail if the model lacks the feature.
    if (isRefused) return no(name, oneLine(visible(`it refused the request (${problemOf(error)})`), 300));
    return unknown(name, oneLine(visible(messageOf(error)), 300));
  }
}

const ok = (name: Capability['name'], reason: string): Capability => ({ name, works: 'ok', reason });
const no = (name: Capability['name'], reason: string): Capability => ({ name, works: 'no', reason });
const unknown = (name: Capability['name'], reason: string): Capability => ({ name, works: 'unknown', reason });
const cut = (name: Capability['name']) => unknown(name, `its answer reached the limit of ${ROOM} tokens`);

import { ApplicationFailure } from '@temporalio/activity';
import { check, toJsonSchema } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { OutputBuilderArgs } from '../../agent/define/builders';
import { HoldfastError } from '../../agent/errors/error';
import { BYTES, DEFAULT_LIMITS } from '../../agent/limits';
import {
  emptyAnswer,
  outputDoesNotFit,
  outputRefused,
  outputTooComplex,
  outputTooDeep,
  outputTooLarge,
} from '../../agent/prompts/answers';
import type { BuildOutputInput, BuildOutputResult } from '../../agent/protocol/activities';
import type { JsonSchema } from '../../agent/protocol/manifest';
import { pinnedVersion } from '../../agent/protocol/pinned-version';
import { defined } from '../../agent/values/defined';
import { isJsonObject, type Json, jsonBytes } from '../../agent/values/json';
import { isNestedDeeper } from '../../agent/values/json-depth';
import type { ContextDeps } from '../context/build-context';
import { makeCtx } from '../ctx';
import { versionAtHand } from '../failures/missing';
import { attemptFailure, checkPatience } from '../failures/patience';
import { thrownProblem } from '../failures/thrown-problem';
import { interruptible } from '../heartbeat';
import type { LoopWatch } from '../loop-watch';
import { checkAgainstSchema } from '../schemas/check';
import { readOutput } from './read-output';

/** Characters of the schema that a model is reminded of if its answer did not fit. */
const SCHEMA_REMINDER = 4000;

/** `holdfast.buildOutput`: builds the run's output from an answer, or says what the model has to correct. */
export function createBuildOutput({ registry, pins, log, watch }: ContextDeps) {
  return ({ pin, turn, content }: BuildOutputInput): Promise<BuildOutputResult> =>
    interruptible(async () => {
      let patience = DEFAULT_LIMITS.startPatience;
      try {
        const { manifest, context } = await pins.both(pin);
        const agent = versionAtHand(registry, pinnedVersion(manifest));
        patience = manifest.limits.startPatience;
        checkPatience(patience, (problem) => new HoldfastError('OutputBuilderFailed', { agent: agent.name, problem }));
        const read = readOutput(content, manifest.output);
        if (read.type === 'excess') return { error: outputTooComplex(read.excess) };
        const ctx = makeCtx({ manifest, context, turn, log });
        const built = await build(agent, watch, {
          type: read.type,
          content,
          ...(read.type === 'json' ? { parsedContent: read.value } : {}),
          ...defined({ outputFormat: manifest.output }),
          ctx,
        });
        return 'error' in built ? built : await checkOutput(agent, built.data, manifest.output);
      } catch (error) {
        throw attemptFailure(error, patience);
      }
    });
}

async function build(
  agent: AgentDefinition,
  watch: LoopWatch,
  args: OutputBuilderArgs,
): Promise<{ data: unknown } | { error: string }> {
  if (agent.outputBuilder === undefined) {
    if (args.content.trim() === '') return { error: emptyAnswer() };
    return { data: args.type === 'json' ? args.parsedContent : args.content };
  }
  try {
    const watched = { run: args.ctx.id, tool: 'outputBuilder' };
    const built: unknown = await watch.run(watched, () => agent.outputBuilder?.(args));
    if (isJsonObject(built) && typeof built.error === 'string') {
      // Providers refuse a message without text.
      return { error: built.error.trim() === '' ? outputRefused() : built.error };
    }
    if (isJsonObject(built) && 'data' in built) return { data: built.data };
    throw ApplicationFailure.nonRetryable('Expected it to return `{data}` or `{error: text}`');
  } catch (error) {
    throw new HoldfastError(
      'OutputBuilderFailed',
      { agent: agent.name, problem: thrownProblem(error) },
      { cause: error },
    );
  }
}

async function checkOutput(
  agent: AgentDefinition,
  data: unknown,
  schema: JsonSchema | undefined,
): Promise<BuildOutputResult> {
  const { outputSchema: own } = agent;
  const checked = own === undefined ? fitsPinned(data, schema) : await check(own, data);
  if (!checked.ok) {
    const wanted = JSON.stringify(schema ?? (own && toJsonSchema(own))).slice(0, SCHEMA_REMINDER);
    return { error: outputDoesNotFit(checked.problem, { isText: typeof data === 'string', schema: wanted }) };
  }
  if (isNestedDeeper(checked.value)) return { error: outputTooDeep() };
  const bytes = jsonBytes(checked.value ?? null);
  if (bytes > BYTES.context) return { error: outputTooLarge(bytes) };
  return { data: (checked.value ?? null) as Json };
}

/** The run has promised this form, also where the agent of this worker no longer has an output schema. */
function fitsPinned(value: unknown, schema: JsonSchema | undefined) {
  const checked = schema === undefined ? { ok: true as const } : checkAgainstSchema(schema, value);
  return checked.ok ? { ok: true as const, value } : checked;
}

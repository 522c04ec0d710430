import { ApplicationFailure } from '@temporalio/activity';
import { check, toJsonSchema } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { FirstMessage } from '../../agent/define/builders';
import type { Ctx, Log } from '../../agent/define/context';
import { HoldfastError } from '../../agent/errors/error';
import { BYTES } from '../../agent/limits';
import type { Message } from '../../agent/model/message';
import type { BuildContextResult, ContextInput } from '../../agent/protocol/activities';
import { PARENT_SUBJECT } from '../../agent/protocol/event';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import { formatTraceparent, parseTraceparent, runTrace } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import { isJsonObject, jsonBytes } from '../../agent/values/json';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import { makeCtx } from '../ctx';
import { thrownProblem } from '../failures/thrown-problem';
import type { LoopWatch } from '../loop-watch';
import { hasSystemFunctions, systemPrompt } from '../prompt/system-prompt';
import { asksForParent } from './service-spec';

export interface MakingDeps {
  log: Log;
  tracing?: Tracing | undefined;
  /** Detects functions that block the worker. */
  watch: LoopWatch;
}

/** The context of a run, without the hash that names it. */
export type MadeContext = Omit<BuildContextResult, 'hash'>;

/**
 * Checks the input of a run, then makes the system prompt and the first messages from it.
 * @throws HoldfastError `InvalidInput`, `ContextBuilderFailed`, `ContextTooLarge`
 */
export async function makeContext(
  agent: AgentDefinition,
  manifest: Manifest,
  given: ContextInput,
  { log, tracing, watch }: MakingDeps,
): Promise<MadeContext> {
  const { tools } = manifest;
  const input = await checkedInput(agent, given.input);
  const { owner, metadata, delegatedBy } = given;
  const traceparent = traceparentFor(given, manifest, tracing);
  const base: RunContext = { metadata, ...defined({ owner, delegatedBy, traceparent }) };
  const ctx = makeCtx({ manifest, context: base, turn: 0, log });
  const built = await build(agent, { lifecycle: 'init', input, tools, ctx }, watch);
  const system = await systemOf({ agent, manifest, instructions: built.system ?? undefined, input, ctx }, watch);
  const messages = (built.messages ?? []).map(firstMessage);
  const context: RunContext = system ? { ...base, system } : base;
  const made = { context, messages: messages.length > 0 ? messages : openingMessages(manifest, input) };
  const bytes = jsonBytes(made);
  if (bytes > BYTES.context) throw new HoldfastError('ContextTooLarge', { bytes, max: BYTES.context });
  return made;
}

/** Whether functions of the agent take part: they may take long, and fail. */
export function hasContextFunctions({ contextBuilder, prompt }: AgentDefinition): boolean {
  return contextBuilder !== undefined || hasSystemFunctions(prompt);
}

/**
 * A traced run has a span of its own; without a caller's trace, this environment's sampler decides whether to sample
 * it.
 */
function traceparentFor(
  { chainId, traceparent: caller }: ContextInput,
  { traced }: Manifest,
  tracing: Tracing | undefined,
): string | undefined {
  if (chainId === undefined || traced !== true) return caller;
  const run = runTrace(chainId, caller);
  const called = parseTraceparent(caller) !== undefined;
  return formatTraceparent(called || tracing === undefined ? run : { ...run, sampled: tracing.samples(run) });
}

/** The caller's subject stays only if the agent's schema asks for it: a strict schema would reject it otherwise. */
async function checkedInput(agent: AgentDefinition, input: unknown): Promise<unknown> {
  if (agent.inputSchema === undefined) return withoutSubject(input);
  const checked = await check(
    agent.inputSchema,
    asksForParent(toJsonSchema(agent.inputSchema)) ? input : withoutSubject(input),
  );
  if (!checked.ok) throw new HoldfastError('InvalidInput', { agent: agent.name, problem: checked.problem });
  return checked.value;
}

type Build = NonNullable<AgentDefinition['contextBuilder']>;

async function build(
  agent: AgentDefinition,
  args: Parameters<Build>[0],
  watch: LoopWatch,
): Promise<NonNullable<Awaited<ReturnType<Build>>>> {
  if (agent.contextBuilder === undefined) {
    return defined({ system: agent.instructions });
  }
  try {
    const watched = { run: args.ctx.id, tool: 'contextBuilder' };
    const built = (await watch.run(watched, () => agent.contextBuilder?.(args))) ?? {};
    for (const message of built.messages ?? []) checkMessage(message);
    return built;
  } catch (error) {
    throw new HoldfastError(
      'ContextBuilderFailed',
      { agent: agent.name, problem: thrownProblem(error) },
      { cause: error },
    );
  }
}

interface Prompted {
  agent: AgentDefinition;
  manifest: Manifest;
  instructions: string | undefined;
  input: unknown;
  ctx: Ctx;
}

/** An error of a section is retried as one of contextBuilder is: the system prompt holds for the whole run. */
async function systemOf(
  { agent, manifest, instructions, input, ctx }: Prompted,
  watch: LoopWatch,
): Promise<string | undefined> {
  try {
    const args = {
      agent: { name: agent.name, ...defined({ description: agent.description }) },
      input,
      tools: manifest.tools,
      ctx,
    };
    const call = <T>(tool: string, work: () => T | Promise<T>) => watch.run({ run: ctx.id, tool }, work);
    return await systemPrompt({ agent, manifest, instructions, args, call });
  } catch (error) {
    throw new HoldfastError(
      'ContextBuilderFailed',
      { agent: agent.name, problem: thrownProblem(error) },
      { cause: error },
    );
  }
}

const EXPECTED_MESSAGE = 'Expected each message to be `{role: "user" | "assistant", content: text or parts}`';

/** Not retried: a message of the wrong form would have the same form again. */
function checkMessage(message: FirstMessage): void {
  const { role, content } = message ?? {};
  const fits = (role === 'user' || role === 'assistant') && (typeof content === 'string' || Array.isArray(content));
  if (!fits) throw ApplicationFailure.nonRetryable(EXPECTED_MESSAGE);
}

function firstMessage({ role, content, seenCount }: FirstMessage): Message {
  return {
    role,
    parts: typeof content === 'string' ? [{ type: 'text', text: content }] : [...content],
    turn: 0,
    ...defined({ seenCount }),
  };
}

/** A conversation started without input waits for the first message of the user. */
function openingMessages({ mode }: Manifest, input: unknown): Message[] {
  const given = withoutSubject(input) ?? null;
  return mode === 'conversation' && given === null ? [] : [inputMessage(given)];
}

/** The default first message: a text as it is, any other input as JSON. Providers refuse a message without text. */
function inputMessage(input: unknown): Message {
  const text = typeof input === 'string' && input.trim() !== '' ? input : JSON.stringify(input);
  return { role: 'user', parts: [{ type: 'text', text }], turn: 0 };
}

function withoutSubject(input: unknown): unknown {
  if (!isJsonObject(input) || !Object.hasOwn(input, PARENT_SUBJECT)) return input;
  const { [PARENT_SUBJECT]: _, ...rest } = input;
  return rest;
}

import { ApplicationFailure, Context } from '@temporalio/activity';
import type { AgentDefinition } from '../../../agent/define/agent-definition';
import type { Log } from '../../../agent/define/context';
import { messageOf } from '../../../agent/errors/error';
import type { ContextSummary } from '../../../agent/model/context-window';
import { isNoUsage } from '../../../agent/model/cost/usage';
import type { CompactActivityResult, Compacted, CompactInput } from '../../../agent/protocol/calls/compaction';
import { MISSING } from '../../../agent/protocol/calls/missing';
import { summaryRoom } from '../../../agent/window/room';
import { makeCtx } from '../../ctx';
import type { LoopWatch } from '../../loop-watch';
import { toolsOffered } from '../../tool-filter/offer-tools';
import { settle } from '../../tools/settle';
import { type Attempt, inAttempt } from '../attempt';
import { reserveSummary } from '../budget/reserve';
import { failureOf } from '../call-budget';
import type { CallRecord } from '../call-record';
import type { RequestDeps } from '../make-requests';
import { configOf, type PrepareCallDeps } from '../prepare-call';
import { hears, type TellRun } from '../usage/tell-run';
import { loadTokenizer } from '../window/count-tokens';
import { type FittedCall, fitCall, fixedTokens } from '../window/fit-call';
import { measuredCall, ownCount } from '../window/measured-call';
import { chooseCut } from './choose-cut';
import { cutText } from './cut-text';
import { writeSummary } from './write-summary';

export interface CompactDeps extends RequestDeps, Pick<PrepareCallDeps, 'models' | 'maskOf' | 'headersOf'> {
  load(
    input: Pick<CompactInput, 'pin' | 'prefix' | 'transcript' | 'delta' | 'trimming'>,
  ): ReturnType<PrepareCallDeps['load']>;
  /** Keeps a summary for the calls that follow, and returns its hash. */
  keep(summary: ContextSummary): string;
  /** Default: the run is told nothing before the call has ended. */
  tellRun?: TellRun;
  agentOf(name: string): AgentDefinition | undefined;
  watch: LoopWatch;
  log: Log;
}

/** Milliseconds of outage that a summary waits for: without it the run goes on, and only leaves messages out. */
const PATIENCE = 20_000;
/** Milliseconds that a function of the agent may take. */
const FUNCTION_TIME = 60_000;
/** Tokens sent to a writer whose window is not known. */
const UNKNOWN_WINDOW = 32_000;

/** Makes the activity `holdfast.compact`. */
export function createCompact(deps: CompactDeps): (input: CompactInput) => Promise<CompactActivityResult> {
  return (input) => inAttempt((attempt) => compact(deps, input, attempt));
}

async function compact(deps: CompactDeps, input: CompactInput, attempt: Attempt): Promise<CompactActivityResult> {
  try {
    return await makeRoom(deps, input, attempt);
  } catch (thrown) {
    const failure = await failureOf(thrown, attempt, PATIENCE);
    // The run asks another worker for what this one lacks.
    const isLast = failure instanceof ApplicationFailure && failure.nonRetryable === true && !MISSING.has(failure.type);
    if (!isLast) throw failure;
    const error = { type: failure.type ?? 'RunFailed', message: failure.message };
    return { result: { ok: false, error }, ...spentOn(attempt.record, input.writer) };
  }
}

async function makeRoom(deps: CompactDeps, input: CompactInput, attempt: Attempt): Promise<CompactActivityResult> {
  const loaded = await deps.load(input);
  const { manifest } = loaded;
  attempt.tellRun = hears(manifest) ? deps.tellRun : undefined;
  const config = configOf(deps, input.model, manifest);
  const offered = toolsOffered(manifest, input.filter);
  const fitted = await fitCall({ ...loaded, offered, call: input, config, mask: deps.maskOf?.(manifest.agent) });
  const cut = chooseCut(fitted, input.keep);
  if (input.method === 'tool-results') {
    return { result: { ok: true, ...(await compacted(fitted, { ...input.trimming, shortened: cut })) } };
  }
  const { text, model } = await textFor(deps, { input, fitted, cut, attempt });
  const summary: ContextSummary = { text, upTo: cut };
  const trimming = { ...input.trimming, from: cut, summary: deps.keep(summary) };
  const spent = model === undefined ? {} : spentOn(attempt.record, model);
  return { result: { ok: true, ...(await compacted(fitted, trimming, summary)), summary }, ...spent };
}

interface Task {
  input: CompactInput;
  fitted: FittedCall;
  cut: number;
  attempt: Attempt;
}

/** What stands for the messages before the cut; `model`: the one that wrote it. */
async function textFor(deps: CompactDeps, task: Task): Promise<{ text: string; model?: string }> {
  const { fitted, cut, input, attempt } = task;
  const { manifest, context, summary, window } = fitted;
  const maxTokens = summaryRoom(window, manifest.context);
  // Not only those that are still sent: some may have been left out before a summary could be written.
  // Those that only earlier runs of the chain have are empty.
  const messages = fitted.messages.slice(summary?.upTo ?? 0, cut).filter(({ parts }) => parts.length > 0);
  if (input.method === 'function') return { text: await ownText(deps, task, { maxTokens, messages }) };
  const config = configOf(deps, input.writer, manifest);
  return writeSummary(deps, {
    attempt,
    alias: input.writer,
    config,
    run: { manifest, context, turn: input.turn },
    messages,
    earlier: summary?.text,
    maxTokens,
    window: config.contextWindow ?? window ?? UNKNOWN_WINDOW,
    reserve: (limited, prompt) => reserveSummary({ fitted, input, record: attempt.record }, limited, prompt),
  });
}

/** The text that a function of the agent returns. Its errors are not retried: the next compaction calls it again. */
async function ownText(
  deps: CompactDeps,
  { input, fitted, attempt }: Task,
  { maxTokens, messages }: { maxTokens: number; messages: FittedCall['messages'] },
): Promise<string> {
  const { manifest, context, summary } = fitted;
  const strategy = deps.agentOf(manifest.agent)?.context?.strategy;
  if (typeof strategy !== 'function') throw failed('The agent no longer has a function as `context.strategy`.');
  const run = Context.current().info.workflowExecution?.workflowId ?? '';
  const settled = await settle<unknown>(
    (signal) => {
      const ctx = makeCtx({ manifest, context, turn: input.turn, log: deps.log, signal });
      const earlier = summary === undefined ? {} : { summary: summary.text };
      return deps.watch.run({ run, tool: 'context.strategy' }, () =>
        strategy({ messages, maxTokens, ctx, ...earlier }),
      );
    },
    { cancelled: attempt.signal, timeout: FUNCTION_TIME },
  );
  if (settled.type === 'timeout') throw failed(`\`context.strategy\` gave no text in ${FUNCTION_TIME / 1000} s.`);
  if (settled.type === 'thrown') throw failed(`\`context.strategy\` failed: ${messageOf(settled.error)}`);
  if (typeof settled.value !== 'string' || settled.value.trim() === '') {
    throw failed('`context.strategy` returned no text. Return the text that replaces the messages.');
  }
  return cutText(settled.value, maxTokens, loadTokenizer());
}

function failed(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'CompactionFailed');
}

/** The next call as it would be after the compaction. */
async function compacted(
  before: FittedCall,
  trimming: FittedCall['trimming'],
  summary = before.summary,
): Promise<Compacted> {
  const after = await fitCall({ ...before, summary, call: { ...before.call, trimming } });
  const factor = trimming.factor ?? 1;
  const { choice } = before;
  const whole = fixedTokens(before) + choice.tokens.reduce((sum, tokens) => sum + tokens, 0);
  return {
    ...measuredCall(after),
    tokens: { before: Math.round(whole * factor), after: Math.round(ownCount(after) * factor) },
  };
}

/** @param model its name, where the failure of the call does not tell it */
function spentOn(record: CallRecord, model: string): Pick<CompactActivityResult, 'spent'> {
  const { parts: _, ...spent } = record.failed(undefined);
  return isNoUsage(spent.usage) ? {} : { spent: { model, ...spent } };
}

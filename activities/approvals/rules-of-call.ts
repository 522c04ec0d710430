import { Context } from '@temporalio/activity';
import { type ApprovalPolicy, keyOfArguments, type RuleVerdict } from '../../agent/approvals/approval';
import { check } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { Ctx, Log } from '../../agent/define/context';
import type { JsonObject } from '../../agent/values/json';
import { thrownProblem } from '../failures/thrown-problem';
import type { LoopWatch } from '../loop-watch';
import { approvalPolicy } from './approval-policy';
import { grantKey } from './grant-key';
import type { RulesClock } from './rules-clock';

/** A call whose rules are asked: the arguments after coercion, and their hash. */
export interface RuledCall {
  toolUseId: string;
  /** Canonical name of the tool. */
  name: string;
  input: JsonObject;
  hash: string;
}

/** Where the rules come from, and how much time they have. */
export interface RuleSources {
  agent: AgentDefinition | undefined;
  clock: RulesClock;
  log: Log;
  watch: LoopWatch;
}

/** The user's functions. They take the arguments as the tool's schema transforms them. */
interface AskedRules {
  when?(input: unknown, ctx: Ctx): unknown;
  rememberBy?(input: unknown): unknown;
}

/**
 * Asks the user's `when` and `rememberBy` about one call. If they throw or take too long, a person is asked, and a
 * remembered decision covers equal arguments only.
 */
export async function askRules(
  call: RuledCall,
  sources: RuleSources,
  ctxOf: (signal: AbortSignal) => Ctx,
): Promise<RuleVerdict> {
  const policy = approvalPolicy(sources.agent, call.name);
  const input = transformed(sources.agent, call);
  const [needed, key] = await Promise.all([isNeeded(policy), keyBy(policy, call, sources, input)]);
  return { needed, key };

  async function isNeeded(asked: ApprovalPolicy | undefined): Promise<boolean> {
    const rules = rulesIn(asked);
    // The run has pinned that a person decides: a deploy that drops the tool or its policy does not change that.
    if (rules?.when === undefined) return true;
    const { when } = rules;
    return inTime(call, sources, { what: 'when', otherwise: true }, async (signal, watched) => {
      const given = await input;
      return Boolean(await watched(() => when.call(asked, given, ctxOf(signal))));
    });
  }
}

/** What a decision about a call covers if it is remembered. */
export function grantKeyOf(call: RuledCall, sources: RuleSources): Promise<string> {
  return keyBy(approvalPolicy(sources.agent, call.name), call, sources, transformed(sources.agent, call));
}

async function keyBy(
  policy: ApprovalPolicy | undefined,
  call: RuledCall,
  sources: RuleSources,
  input: Promise<unknown>,
): Promise<string> {
  // It may reject before anything awaits it.
  input.catch(() => undefined);
  const alone = keyOfArguments(call.hash);
  if (policy === undefined || policy === 'never') return alone;
  const rules = rulesIn(policy);
  if (rules?.rememberBy === undefined) return '';
  const { rememberBy } = rules;
  return inTime(call, sources, { what: 'rememberBy', otherwise: alone }, async (_signal, watched) => {
    const given = await input;
    return grantKey(await watched(() => rememberBy.call(policy, given)), call.hash);
  });
}

function rulesIn(policy: ApprovalPolicy | undefined): AskedRules | undefined {
  return typeof policy === 'object' ? (policy as AskedRules) : undefined;
}

/** The arguments as the tool itself gets them. */
async function transformed(agent: AgentDefinition | undefined, { name, input }: RuledCall): Promise<unknown> {
  const tools = agent?.tools ?? {};
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) return input;
  const checked = await check(tool.inputSchema, input);
  if (!checked.ok) throw new Error(`The arguments do not fit: ${checked.problem}`);
  return checked.value;
}

/** What a function returns in time, else `otherwise`. */
async function inTime<T>(
  { toolUseId, name: tool }: RuledCall,
  { clock, log, watch }: RuleSources,
  { what, otherwise }: { what: keyof AskedRules; otherwise: T },
  work: (signal: AbortSignal, watched: (rule: () => unknown) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const id = Context.current().info.workflowExecution?.workflowId;
  const watched = (rule: () => unknown) => watch.run({ run: id ?? '', tool: `${what} of ${tool}`, toolUseId }, rule);
  try {
    return await clock.race((signal) => work(signal, watched));
  } catch (error) {
    log.warn(
      { id, toolUseId, tool, problem: thrownProblem(error) },
      `\`${what}\` of the approval failed; a person is asked, and only about this call`,
    );
    return otherwise;
  }
}

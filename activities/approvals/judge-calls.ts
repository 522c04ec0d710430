import { Context } from '@temporalio/activity';
import type { JudgeCallsInput, JudgeCallsResult } from '../../agent/activities';
import type { Ctx, Log } from '../../agent/context';
import type { AgentDefinition } from '../../agent/define-agent';
import { messageOf } from '../../agent/error';
import { check } from '../../agent/schema';
import { makeCtx } from '../ctx';
import { interruptible } from '../heartbeat';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { settle } from '../tools/settle';
import { approvalPolicy } from './approval-policy';
import { grantKey, keyOfArguments } from './grant-key';

interface JudgeDeps {
  registry: Registry;
  pins: PinStore;
  log: Log;
}

type Call = JudgeCallsInput['calls'][number];
type Judgement = JudgeCallsResult[number];

/** Milliseconds that the user's functions have for all calls together. */
const TIME = 2000;

/**
 * `holdfast.judgeCalls`: asks the user's `when` and `rememberBy`. Whatever goes wrong with them asks for a person, and
 * remembers no more than these very arguments. Mostly a local activity, hence short.
 */
export function createJudgeCalls({ registry, pins, log }: JudgeDeps) {
  return ({ pin, turn, calls }: JudgeCallsInput): Promise<JudgeCallsResult> =>
    interruptible(async (cancelled) => {
      const { manifest, context } = await pins.both(pin);
      const agent = registry.find(Context.current().info.workflowType ?? '');
      const deadline = Date.now() + TIME;
      return Promise.all(
        calls.map((call): Judgement | Promise<Judgement> => {
          const spec = manifest.tools.find(({ name }) => name === call.name);
          // As it was pinned: no function had a say in it, and none of a later deploy has.
          if (spec?.approval?.asks === false) return { needed: true, key: '' };
          const { toolUseId } = call;
          const ctxOf = (signal: AbortSignal) => makeCtx({ manifest, context, turn, log, signal, toolUseId });
          return judge(agent, call, { ctxOf, cancelled, deadline, log });
        }),
      );
    });
}

interface Court {
  ctxOf(signal: AbortSignal): Ctx;
  cancelled: AbortSignal;
  /** Milliseconds since 1970. */
  deadline: number;
  log: Log;
}

async function judge(agent: AgentDefinition | undefined, call: Call, court: Court): Promise<Judgement> {
  const policy = approvalPolicy(agent, call.name);
  if (policy === 'always') return { needed: true, key: '' };
  // The run has pinned that somebody decides: a deploy that dropped the tool, or its policy, does not change that.
  if (policy === undefined || policy === 'never') return { needed: true, key: keyOfArguments(call.input) };
  const { when, rememberBy } = policy as AskedRules;
  const input = transformed(agent, call);
  // Those who read it may have given up by then.
  input.catch(() => undefined);
  const ask = <T>(what: keyof AskedRules, otherwise: T, work: Work<T>) =>
    inTime({ call, court, input, what, otherwise }, work);
  const [needed, key] = await Promise.all([
    when === undefined
      ? true
      : ask('when', true, async (value, signal) => Boolean(await when.call(policy, value, court.ctxOf(signal)))),
    rememberBy === undefined
      ? ''
      : ask('rememberBy', keyOfArguments(call.input), async (value) =>
          grantKey(await rememberBy.call(policy, value), call.input),
        ),
  ]);
  return { needed, key };
}

type Work<T> = (value: unknown, signal: AbortSignal) => Promise<T>;

/** The user's functions, which take what the tool's schema makes of the arguments. */
interface AskedRules {
  when?(input: unknown, ctx: Ctx): unknown;
  rememberBy?(input: unknown): unknown;
}

/** The arguments as the tool itself gets them. */
async function transformed(agent: AgentDefinition | undefined, { name, input }: Call): Promise<unknown> {
  const tools = agent?.tools ?? {};
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) return input;
  const checked = await check(tool.input, input);
  if (!checked.ok) throw new Error(`The arguments do not fit: ${checked.problem}`);
  return checked.value;
}

interface Question<T> {
  call: Call;
  court: Court;
  input: Promise<unknown>;
  what: keyof AskedRules;
  otherwise: T;
}

/** What a function gives in time, else `otherwise`. */
async function inTime<T>({ call, court, input, what, otherwise }: Question<T>, work: Work<T>): Promise<T> {
  const { cancelled, deadline, log } = court;
  const late = () => `it did not end within ${TIME} ms`;
  const settled = await settle(
    async (signal) => {
      const value = await input;
      // Functions of other calls that never let go of the thread have used up the time.
      if (Date.now() >= deadline) throw new Error(late());
      return work(value, signal);
    },
    { cancelled, timeout: Math.max(1, deadline - Date.now()), grace: 0 },
  );
  if (settled.type === 'value') return settled.value;
  const problem = settled.type === 'thrown' ? messageOf(settled.error) : late();
  const id = Context.current().info.workflowExecution?.workflowId;
  const { toolUseId, name: tool } = call;
  log.warn(
    { id, toolUseId, tool, problem },
    `\`${what}\` of the approval failed; a person is asked, and only about this call`,
  );
  return otherwise;
}

import { Context } from '@temporalio/activity';
import type { RuleVerdict } from '../../agent/approvals/approval';
import type { Log } from '../../agent/define/context';
import type { ToolRequest } from '../../agent/model/answer';
import { planCalls } from '../../agent/plan/plan-calls';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import { makeCtx } from '../ctx';
import type { LoopWatch } from '../loop-watch';
import type { Registry } from '../registry';
import { RulesClock } from './rules-clock';
import { askRules } from './rules-of-call';

/** The calls of one answer, and the run that they belong to. */
export interface CallsToRule {
  manifest: Manifest;
  context: RunContext;
  turn: number;
  requests: readonly ToolRequest[];
  cancelled: AbortSignal;
}

/** The requests, each with the verdict of its rules, in the same order. */
export type RulesCheck = (answer: CallsToRule) => Promise<ToolRequest[]>;

interface RulesDeps {
  registry: Registry;
  log: Log;
  watch: LoopWatch;
}

/** Asks the approval rules about the calls of an answer that would run. It never fails, and takes at most a second. */
export function createRulesCheck({ registry, log, watch }: RulesDeps): RulesCheck {
  return async ({ manifest, context, turn, requests, cancelled }) => {
    const { calls } = planCalls(requests, { turn, manifest, unknownOutcomes: [] });
    const asked = calls.flatMap(({ toolUseId, request, tool, problem }) =>
      tool?.approval?.asks === true && problem === undefined ? [{ toolUseId, request, name: tool.name }] : [],
    );
    if (asked.length === 0) return [...requests];
    const agent = registry.find(Context.current().info.workflowType ?? '');
    const clock = new RulesClock(cancelled);
    try {
      const verdicts = new Map<ToolRequest, RuleVerdict>();
      await Promise.all(
        asked.map(async ({ toolUseId, name, request }) => {
          const { input, hash } = request;
          const ctxOf = (signal: AbortSignal) => makeCtx({ manifest, context, turn, log, signal, toolUseId });
          verdicts.set(request, await askRules({ toolUseId, name, input, hash }, { agent, clock, log, watch }, ctxOf));
        }),
      );
      return requests.map((request) => {
        const approval = verdicts.get(request);
        return approval === undefined ? request : { ...request, approval };
      });
    } finally {
      clock.stop();
    }
  };
}

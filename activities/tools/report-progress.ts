import { Context } from '@temporalio/activity';
import type { Ctx } from '../../agent/define/context';
import type { ToolProgress } from '../../agent/protocol/stream';
import { defined } from '../../agent/values/defined';
import type { McpProgress } from '../mcp';
import { type DeltaSinks, publish } from '../publish-delta';

/** Characters of a server's message: it goes into every heartbeat. */
const MAX_MESSAGE = 500;

export interface ProgressReporter {
  /** Shows it to people: as details of the pending activity, and to readers of the run's stream. */
  report(progress: McpProgress): void;
  /** What was reported last. */
  last(): ToolProgress | undefined;
}

export function progressReporter(sinks: DeltaSinks, ctx: Ctx): ProgressReporter {
  const { attempt } = Context.current().info;
  const { id, turn, toolUseId = '', selfInfo, delegatedBy } = ctx;
  const about = { agent: selfInfo.agent, ...defined({ delegatedBy }) };
  let seq = 0;
  let last: ToolProgress | undefined;
  return {
    report({ progress, total, message }) {
      last = { progress, ...defined({ total, message: message?.slice(0, MAX_MESSAGE) }) };
      ctx.heartbeat({ ...last });
      const delta = { ...last, toolUseId, id, turn, callId: toolUseId, attempt, seq: seq++ };
      publish(sinks, { type: 'tool.progress', ...delta }, about);
    },
    last: () => last,
  };
}

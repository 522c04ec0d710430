import { Context } from '@temporalio/activity';
import type { Ctx } from '../../agent/define/context';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { McpProgress } from '../mcp';
import { type DeltaSinks, publish } from '../publish-delta';

/** Characters of a server's message: it goes into every heartbeat. */
const MAX_MESSAGE = 500;

/** Shows the progress of a tool to people: as details of the pending activity, and to readers of the run's stream. */
export function progressReporter(sinks: DeltaSinks, ctx: Ctx): (progress: McpProgress) => void {
  const { attempt } = Context.current().info;
  const { id, turn, toolUseId = '', selfInfo, delegatedBy } = ctx;
  const about = { agent: selfInfo.agent, ...defined({ delegatedBy }) };
  let seq = 0;
  return ({ progress, total, message }) => {
    const said = {
      progress,
      ...defined({ total }),
      ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE) }),
    } satisfies Json;
    ctx.heartbeat(said);
    const delta = { ...said, toolUseId, id, turn, callId: toolUseId, attempt, seq: seq++ };
    publish(sinks, { type: 'tool.progress', ...delta }, about);
  };
}

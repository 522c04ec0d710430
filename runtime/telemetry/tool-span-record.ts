import type { RunToolInput, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { SpanError } from '../../agent/protocol/span';
import { below, SPAN_KEY, type TraceContext } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import { jsonInput, output, type Subject, subjectAttributes, toolAttributes } from './run-span-record';
import type { SpanRecord } from './span-record';
import { textOfParts } from './text-of-parts';

/** One attempt at a tool call, successful or not. */
export interface ToolAttempt {
  place: TraceContext;
  subject: Subject;
  call: Pick<RunToolInput, 'turn' | 'toolUseId' | 'input'>;
  name: string;
  attempt: number;
  /** MCP: the agent's key of the server. */
  server?: string | undefined;
  start: number;
  end: number;
  outcome?: ToolOutcome;
  error?: SpanError | undefined;
}

/** The span of one attempt at a tool call. */
export function toolSpanRecord(run: TraceContext, made: ToolAttempt): SpanRecord {
  const { place, subject, call, name, attempt, server, start, end, outcome } = made;
  const error = made.error ?? outcome?.error;
  return {
    place,
    parent: below(run, SPAN_KEY.turn(call.turn)).spanId,
    name: `execute_tool ${name}`,
    kind: server === undefined ? 'internal' : 'client',
    start,
    end,
    ...defined({ error }),
    attributes: {
      'openinference.span.kind': 'TOOL',
      ...subjectAttributes(subject),
      ...toolAttributes({ ...call, name }),
      'gen_ai.tool.type': server === undefined ? 'function' : 'extension',
      'holdfast.mcp.server': server,
      'holdfast.attempt': attempt,
    },
    content: { ...jsonInput(call.input), ...output(outcome && textOfParts(outcome.content)) },
  };
}

import type { RunSpan } from '../../agent/protocol/span';
import { below, parseTraceparent, SPAN_KEY, type TraceContext } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import type { SpanRecord } from './span-record';
import { textOfParts } from './text-of-parts';

/** The run that a span belongs to. */
export interface Subject {
  /** Id of the run. */
  id: string;
  agent: string;
}

/** A span that a run reported, with attributes of OpenInference and of OpenTelemetry's `gen_ai.*`. */
export function runSpanRecord(run: TraceContext, { id, agent }: Subject, span: RunSpan): SpanRecord {
  const { start, end, error } = span;
  const base = { start, end, ...defined({ error }) };
  const about = { 'openinference.span.kind': span.kind, ...subjectAttributes({ id, agent }) };
  switch (span.kind) {
    case 'AGENT': {
      const caller = parseTraceparent(span.caller);
      return {
        ...base,
        place: run,
        ...defined({ parent: caller?.spanId }),
        name: `invoke_agent ${agent}`,
        attributes: {
          ...about,
          'gen_ai.operation.name': 'invoke_agent',
          // Not `llm.token_count.*`: readers add those up, and the model calls below already have them.
          'gen_ai.usage.input_tokens': span.usage.prompt,
          'gen_ai.usage.output_tokens': span.usage.completion,
          'holdfast.execution_units': span.executionUnits,
          'holdfast.turns': span.turns,
          'holdfast.end_reason': span.reason,
        },
        content: { 'user.id': span.owner, ...jsonInput(span.input), ...output(span.output) },
      };
    }
    case 'CHAIN':
      return {
        ...base,
        place: below(run, SPAN_KEY.turn(span.turn)),
        parent: run.spanId,
        name: `turn ${span.turn}`,
        attributes: { ...about, 'holdfast.turn': span.turn, 'holdfast.lifecycle': span.lifecycle },
        content: {},
      };
    case 'TOOL': {
      const { kind, ref, executionUnits } = span.service ?? {};
      return {
        ...base,
        place: below(run, SPAN_KEY.tool(span.toolUseId)),
        parent: below(run, SPAN_KEY.turn(span.turn)).spanId,
        name: `execute_tool ${span.name}`,
        kind: kind === undefined ? 'internal' : kind === 'event' ? 'producer' : 'client',
        attributes: {
          ...about,
          ...toolAttributes(span),
          'holdfast.service.kind': kind,
          'holdfast.service.ref': ref,
          'holdfast.execution_units': executionUnits,
        },
        content: { ...jsonInput(span.input), ...output(span.output && textOfParts(span.output)) },
      };
    }
    case 'GUARDRAIL':
      return {
        ...base,
        place: below(run, SPAN_KEY.approval(span.toolUseId)),
        parent: below(run, SPAN_KEY.turn(span.turn)).spanId,
        name: `approve ${span.name}`,
        attributes: {
          ...about,
          'gen_ai.tool.name': span.name,
          'gen_ai.tool.call.id': span.toolUseId,
          'holdfast.turn': span.turn,
          'holdfast.approval.decision': span.decision,
          'holdfast.approval.remembered': span.remembered,
        },
        content: {
          ...jsonInput(span.input),
          'output.value': span.comment,
          'holdfast.approval.by': span.by,
        },
      };
  }
}

/** Attributes about the run, in every span. */
export function subjectAttributes({ id, agent }: Subject) {
  return { 'session.id': id, 'gen_ai.conversation.id': id, 'agent.name': agent, 'gen_ai.agent.name': agent };
}

/** Attributes of tool spans, wherever they are made. */
export function toolAttributes({ turn, toolUseId, name }: { turn: number; toolUseId: string; name: string }) {
  return {
    'tool.name': name,
    'tool_call.id': toolUseId,
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': toolUseId,
    'holdfast.turn': turn,
  };
}

/** An input value, as JSON. */
export function jsonInput(value: unknown) {
  return { 'input.value': JSON.stringify(value), 'input.mime_type': 'application/json' };
}

/** An output value: a text as it is, everything else as JSON. */
export function output(value: unknown): { [name: string]: string } {
  if (value === undefined) return {};
  return typeof value === 'string'
    ? { 'output.value': value, 'output.mime_type': 'text/plain' }
    : { 'output.value': JSON.stringify(value), 'output.mime_type': 'application/json' };
}

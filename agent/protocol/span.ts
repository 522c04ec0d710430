import type { DelegatedBy } from '../define/context';
import type { Usage } from '../model/cost/usage';
import type { ContentPart } from '../model/message';
import type { AwaitedService } from '../state/awaited-service';
import type { ApprovalOutcome } from '../state/batch';
import type { Json, JsonObject } from '../values/json';
import type { Lifecycle } from './calls/lifecycle';
import type { EndReason, Fact } from './facts/fact';

/** Why something failed. */
export interface SpanError {
  type: string;
  message: string;
}

/** A span that the run itself reports. Spans of model calls and of tools in activities are made in the activities. */
export type RunSpan = { start: number; end: number; error?: SpanError } & (
  | {
      kind: 'AGENT';
      /** The `traceparent` that the caller sent. Its span is the parent. */
      caller?: string;
      reason: EndReason;
      turns: number;
      usage: Usage;
      executionUnits: number;
      owner?: string;
      input: Json;
      output?: Json;
    }
  | { kind: 'CHAIN'; turn: number; lifecycle?: Lifecycle }
  | {
      kind: 'TOOL';
      turn: number;
      toolUseId: string;
      name: string;
      /** Missing if the call was not run. */
      service?: Pick<AwaitedService, 'kind' | 'ref'> & { executionUnits?: number };
      input: JsonObject;
      output?: ContentPart[];
    }
  | {
      kind: 'GUARDRAIL';
      turn: number;
      toolUseId: string;
      name: string;
      decision: ApprovalOutcome['decision'] | 'none';
      /** An earlier decision applied. */
      remembered?: true;
      by?: string;
      comment?: string;
      input: JsonObject;
    }
);

/** What a run reports to its worker through a sink. It is not part of history and is lost without a listener. */
export interface Observed {
  /** The `traceparent` of the run. Missing if it makes no spans. */
  traceparent?: string;
  delegatedBy?: DelegatedBy;
  /** For the agent's `onStream`. Empty if it has none. */
  facts: Fact[];
  spans: RunSpan[];
}

import type { DelegatedBy } from '../define/context';
import type { Usage } from '../model/answer';
import type { ContentPart } from '../model/message';
import type { ApprovalOutcome, AwaitedService } from '../state/state';
import type { Json, JsonObject } from '../values/json';
import type { Lifecycle } from './activities';
import type { EndReason, Fact } from './fact';

/** Why something failed. */
export interface SpanError {
  type: string;
  message: string;
}

/** A span that the run itself sees end; those of models and of tools with activities are made there. */
export type RunSpan = { start: number; end: number; error?: SpanError } & (
  | {
      kind: 'AGENT';
      /** What the caller sent: its span is the parent. */
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
      /** Missing where the call was not run at all. */
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
      /** An earlier decision held. */
      remembered?: true;
      by?: string;
      comment?: string;
      input: JsonObject;
    }
);

/** What a run tells its worker, through a sink: not part of history, and lost where nobody listens. */
export interface Observed {
  /** The run's own place in its trace; missing where it makes no spans. */
  traceparent?: string;
  delegatedBy?: DelegatedBy;
  /** For the agent's `onStream`; empty where it has none. */
  facts: Fact[];
  spans: RunSpan[];
}

import { ApplicationFailure, type CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { HoldfastError } from '../agent/error';
import type { Fact } from '../agent/fact';
import type { Pin } from '../agent/manifest';
import type { AgentState, AwaitingCall } from '../agent/state';
import { TranscriptIndex } from '../agent/transcript';
import { newState } from './begin';
import { ByteBudget } from './byte-budget';
import { Observer } from './observe';
import { showStatus, type Waits } from './status';
import { StatusPage } from './status-page';
import { type StepInput, step } from './step';

/** Why an exchange was broken off: for a message, after which it goes on, or for good. */
export interface Broken {
  why: 'steered' | 'interrupted';
  by?: string;
}

/** One run in the memory of its workflow: the state, the facts told so far, and what is derived from them. */
export class Run {
  readonly facts: Fact[] = [];
  readonly index = new TranscriptIndex();
  readonly bytes = new ByteBudget();
  readonly page = new StatusPage();
  readonly observer = new Observer();
  /** No fact will follow: past the end of the loop the answer may still be on its way to whoever sent an event. */
  over = false;
  /** What lists of runs say that it waits for. */
  published: Waits | undefined;
  /** The workflow task, by the length of history, that has left a mark of what it waits for. */
  marked = -1;

  /** The exchange under way runs in it; where an exchange is broken off it is this that is cancelled. */
  scope: CancellationScope | undefined;
  /** A model call is under way. */
  thinking = false;
  /** Why the scope was cancelled. */
  broken: Broken | undefined;
  /** Effects are being taken back: the next request waits for its turn, and so does the end of the run. */
  undoing = false;

  constructor(public state: AgentState) {}

  /** Names what the run has pinned; before that nothing has these hashes. */
  get pin(): Pin {
    return this.state.pin ?? { manifest: '', context: '' };
  }

  /** A call of the batch under way, as it stands now. */
  call(toolUseId: string): AwaitingCall | undefined {
    return this.state.awaiting.find((call) => call.toolUseId === toolUseId);
  }

  /** Breaks off what the exchange is doing; false where there is nothing to. An interrupt wins over a steering message. */
  breakOff(why: Broken): boolean {
    if (this.scope === undefined) return false;
    if (this.broken?.why !== 'interrupted') this.broken = why;
    this.scope.cancel();
    return true;
  }

  /** The one way in which a run changes. */
  apply(input: StepInput): void {
    const { state, facts } = step(this.state, input);
    const { exchange } = state;
    const { awaiting } = this.state;
    const time = Date.now();
    const before = this.state.facts;
    facts.forEach((fact, i) => {
      this.facts.push({ ...fact, seq: before + i + 1, time, exchange });
    });
    this.state = { ...state, facts: before + facts.length };
    this.page.note(facts);
    this.observer.note(this, facts.length, awaiting.length > 0);
    showStatus(this);
  }
}

/** A run before its caller's input was looked at: one that is refused for it answers queries as well. */
export function openRun(): Run {
  const { workflowId: id, workflowType: agent, firstExecutionRunId: firstRunId } = workflowInfo();
  return new Run(newState({ id, agent, firstRunId }));
}

/** An error of ours as the failure of a workflow: its type and data stay readable for every client. */
export function failureOf(error: HoldfastError): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.type,
    message: error.message,
    details: [error.data],
    nonRetryable: true,
  });
}

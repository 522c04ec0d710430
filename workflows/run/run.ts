import { type CancellationScope, uuid4, workflowInfo } from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import type { Message } from '../../agent/model/message';
import { TranscriptIndex } from '../../agent/model/transcript';
import type { SpendingOfModel } from '../../agent/protocol/calls/model-call';
import type { Fact, FactBody } from '../../agent/protocol/facts/fact';
import type { Pin } from '../../agent/protocol/manifest';
import type { BatchCall } from '../../agent/state/batch';
import type { CarriedRun, CarriedUpdate } from '../../agent/state/carried/carried';
import type { AgentState } from '../../agent/state/state';
import { newState } from '../state/first-state';
import { type StepInput, step } from '../state/reduce';
import type { Waits } from '../state/selectors/awaited';
import { callOf } from '../state/selectors/calls';
import type { UndoableCall } from '../state/selectors/effects';
import { isDescribed } from '../state/selectors/phase';
import { shaped } from '../state/shaped';
import { showPage } from '../view/live-page';
import { Observer } from '../view/observer';
import { StatusPage } from '../view/status-page';
import { publish } from '../view/visibility';
import { isCarried, type ReadCarried, readCarried, resumedState } from './carry/resume';
import { isContinued, leaveToOthers } from './carry/unread-state';
import { numberFacts } from './fact-log';
import { Inbox } from './inbox';
import { WorkClock } from './limits/work-clock';
import { ByteBudget } from './scheduling/byte-budget';

/** Why an exchange was interrupted: for a message or another model, after which it goes on, or for good. */
export interface Interruption {
  why: 'steered' | 'switched' | 'interrupted' | 'deadline';
  by?: string;
}

/** A model call in progress, as its activity names it. */
interface PaidCall {
  id: string;
  /** What its failed attempts have cost, as far as the run was told. */
  spent?: SpendingOfModel;
}

/** A model call in progress. */
export interface CallInProgress extends PaidCall {
  /** Alias of the model. Missing: the call is for a plan. */
  model?: string;
  /** A person asked for its next attempt at once. */
  woken?: true;
}

/** One run in the memory of its workflow: the state, the facts told so far, and what is derived from them. */
export class Run {
  readonly facts: Fact[] = [];
  readonly index = new TranscriptIndex();
  readonly bytes = new ByteBudget();
  readonly clock = new WorkClock();
  readonly page = new StatusPage();
  readonly observer = new Observer();
  /** No more facts will follow. Set after the reply to an event: its delivery may fail, which is a fact. */
  over = false;
  /** What the run waits for, as lists of runs show it. */
  published: Waits | undefined;
  /** Calls that wait, as the memo lists them in a namespace without search attributes. */
  listed: string[] | undefined;

  /** The scope of the exchange in progress. To interrupt the exchange, this scope is cancelled. */
  scope: CancellationScope | undefined;
  modelCall: CallInProgress | undefined;
  summaryCall: PaidCall | undefined;
  /** Model calls made under the number of one turn: the call after one without an answer reuses the number of its turn. */
  callsOfTurn = { turn: 0, made: 0 };
  /** What the worker that made the last model call expects the message of its answer to be. */
  answered: Message | undefined;
  /** Why the scope was cancelled. */
  interruption: Interruption | undefined;
  /** Undo requests, the one in progress first. The end of the run waits for them. */
  readonly undoing: { calls: readonly UndoableCall[]; isNamed: boolean }[] = [];
  readonly inbox = new Inbox();
  /** Updates that the chain has settled, the oldest first: Temporal knows update ids only within one of its runs. */
  readonly updates: CarriedUpdate[] = [];
  /** Work that another Temporal run could not continue, and that the state does not show. */
  readonly inFlight = new Set<string>();
  /** Signals and updates so far, wrong ones too: a run that waits looks at its history after some of them. */
  messages = 0;
  /** Bytes that an earlier history has passed on, and that were read again from it. */
  began = 0;
  /** A person asked for a new history. */
  nudged = false;
  /** It was asked for while the run could not go on elsewhere: it does at its next turn boundary. */
  asked = false;
  /** What the run has passed on: the next Temporal run goes on, and this one changes no more. */
  carried: CarriedRun | undefined;

  /** The fact of the end of the loop, held back during an undo. */
  readonly #end: FactBody[] = [];

  constructor(public state: AgentState) {}

  /** Hashes of what the run has pinned; empty before that. */
  get pin(): Pin {
    return this.state.pin ?? { manifest: '', context: '' };
  }

  /** A call of the current batch, in its current state. */
  call(toolUseId: string): BatchCall | undefined {
    return callOf(this.state, toolUseId);
  }

  /** A call that is part of the working time has ended. Only for runs with a budget. */
  endWork(): void {
    const ms = this.clock.end();
    if (ms > 0) this.apply({ type: 'worked', ms });
  }

  /** Interrupts what the exchange is doing or about to do. An interrupt wins over a steering message. */
  breakOff(why: Interruption): void {
    if (this.interruption?.why !== 'interrupted') this.interruption = why;
    this.scope?.cancel();
  }

  /** The only way to change a run. */
  apply(input: StepInput): void {
    // A timer may fire in the activation in which the run went on elsewhere, where it fires again.
    if (this.carried !== undefined) return;
    const acted = this.state.batch.length > 0;
    const { state, facts } = step(this.state, input);
    // The end is the last fact of the loop: facts of an undo in progress come before it.
    const end = this.undoing.length > 0 ? facts.filter(({ type }) => type === 'loop.end') : [];
    this.#end.push(...end);
    this.#tell(
      state,
      facts.filter((fact) => !end.includes(fact)),
      acted,
    );
    // An outage ends with the answer of the model, not with the end of a wait.
    if (this.published === 'model' && this.state.phase.at === 'working') publish(this);
    if (isDescribed(this.state)) this.inbox.drain();
  }

  /** Call it when all undo requests are settled, with or without success. */
  undone(): void {
    if (this.#end.length > 0) this.#tell(this.state, this.#end.splice(0), false);
  }

  #tell(state: AgentState, facts: readonly FactBody[], acted: boolean): void {
    this.state = shaped(state, numberFacts(this.facts, this.state.facts, facts, state.exchange));
    this.page.note(facts);
    this.observer.note(this, facts.length, acted);
  }
}

/**
 * A run before its input is checked: a run whose input is refused still answers queries. One that goes on in a new
 * history has its state from the start.
 */
export function openRun(given: unknown): { run: Run; beginning: Beginning } {
  const { workflowId: id, workflowType: agent } = workflowInfo();
  const beginning = beginningOf(given);
  const state =
    beginning.type === 'carried' ? resumedState(beginning.carried) : newState({ id, agent, chainId: uuid4() });
  const run = new Run(state);
  if (beginning.type === 'carried') run.updates.push(...beginning.carried.updates);
  showPage(() => run.page.text(run.state, Date.now()));
  return { run, beginning };
}

/** How a Temporal run begins. */
export type Beginning = ReadCarried | { type: 'new' } | { type: 'refused'; error: HoldfastError };

function beginningOf(given: unknown): Beginning {
  const { continuedFromExecutionRunId: before } = workflowInfo();
  if (!isCarried(given) && !isContinued()) return { type: 'new' };
  try {
    return readCarried(given, before);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    if (isContinued()) leaveToOthers(error);
    return { type: 'refused', error };
  }
}

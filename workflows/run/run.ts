import { type CancellationScope, uuid4, workflowInfo } from '@temporalio/workflow';
import { TranscriptIndex } from '../../agent/model/transcript';
import type { Fact, FactBody } from '../../agent/protocol/fact';
import type { Pin } from '../../agent/protocol/manifest';
import type { AgentState, BatchCall } from '../../agent/state/state';
import { newState } from '../state/first-state';
import { type StepInput, step } from '../state/reduce';
import type { Waits } from '../state/selectors/awaited';
import type { UndoableCall } from '../state/selectors/effects';
import { isDescribed } from '../state/selectors/phase';
import { showPage } from '../view/live-page';
import { Observer } from '../view/observer';
import { StatusPage } from '../view/status-page';
import { numberFacts } from './fact-log';
import { Inbox } from './inbox';
import { ByteBudget } from './scheduling/byte-budget';

/** Why an exchange was broken off: for a message, after which it goes on, or for good. */
export interface Interruption {
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
  /** Calls that wait, as the memo lists them where there are no search attributes. */
  listed: string[] | undefined;

  /** The exchange under way runs in it; where an exchange is broken off it is this that is cancelled. */
  scope: CancellationScope | undefined;
  /** A model call is under way. */
  thinking = false;
  /** Model calls that were made under the number of one turn: one that gave no answer leaves its number to the next. */
  calls = { turn: 0, made: 0 };
  /** Why the scope was cancelled. */
  interruption: Interruption | undefined;
  /** Requests to take calls back, the one in progress first: the end of the run waits for them. */
  readonly undoing: { calls: readonly UndoableCall[]; isNamed: boolean }[] = [];
  readonly inbox = new Inbox();

  /** The end of the loop, held back while effects are taken back. */
  readonly #end: FactBody[] = [];

  constructor(public state: AgentState) {}

  /** Names what the run has pinned; before that nothing has these hashes. */
  get pin(): Pin {
    return this.state.pin ?? { manifest: '', context: '' };
  }

  /** A call of the batch under way, as it stands now. */
  call(toolUseId: string): BatchCall | undefined {
    return this.state.batch.find((call) => call.toolUseId === toolUseId);
  }

  /** Breaks off what the exchange is doing, or is about to do. An interrupt wins over a steering message. */
  breakOff(why: Interruption): void {
    if (this.interruption?.why !== 'interrupted') this.interruption = why;
    this.scope?.cancel();
  }

  /** The one way in which a run changes. */
  apply(input: StepInput): void {
    const acted = this.state.batch.length > 0;
    const { state, facts } = step(this.state, input);
    // The end is the last fact of the loop: what is being taken back is told before it.
    const end = this.undoing.length > 0 ? facts.filter(({ type }) => type === 'loop.end') : [];
    this.#end.push(...end);
    this.#tell(
      state,
      facts.filter((fact) => !end.includes(fact)),
      acted,
    );
    if (isDescribed(this.state)) this.inbox.drain();
  }

  /** Effects have been taken back, or could not be. */
  undone(): void {
    if (this.#end.length > 0) this.#tell(this.state, this.#end.splice(0), false);
  }

  #tell(state: AgentState, facts: readonly FactBody[], acted: boolean): void {
    this.state = { ...state, facts: numberFacts(this.facts, this.state.facts, facts, state.exchange) };
    this.page.note(facts);
    this.observer.note(this, facts.length, acted);
  }
}

/** A run before its caller's input was looked at: one that is refused for it answers queries as well. */
export function openRun(): Run {
  const { workflowId: id, workflowType: agent } = workflowInfo();
  const run = new Run(newState({ id, agent, chainId: uuid4() }));
  showPage(() => run.page.text(run.state));
  return run;
}

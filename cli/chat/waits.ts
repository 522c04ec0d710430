import type { PendingApproval } from '../../agent/approvals/approval';
import type { PendingQuestion } from '../../agent/conversation/questions';
import { isQuestion, type Waiting } from '../inbox/lines';
import { findWaiting } from '../inbox/list';
import type { CommandClient } from '../remote/run-client';
import { keyOf } from './asks';

/** The calls and questions that wait for a person in a conversation and in the agents that work for it. */
export class Waits {
  #found: readonly Waiting[] = [];
  /** Keys of the waits that the facts read so far have reported. */
  readonly #told = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #later = new Set<string>();
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(
    private readonly client: CommandClient,
    private readonly id: string,
  ) {}

  /** What waits, as far as the facts read so far report it: the run may be ahead of them. */
  get all(): readonly Waiting[] {
    return this.#found.filter((one) => one.id !== this.id || this.#told.has(keyOf(one)));
  }

  /** Records that a fact has reported a wait. */
  told(name: string): void {
    this.#told.add(`${this.id}/${name}`);
  }

  /** The first look at a run that may already have open waits. */
  async takeUp(): Promise<void> {
    await this.look();
    for (const one of this.#found) this.#told.add(keyOf(one));
  }

  /** Looks again. Calls during a look cause one more. */
  look(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#again = true;
      return this.#looking;
    }
    this.#looking = this.#find().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #find(): Promise<void> {
    do {
      this.#again = false;
      const found = await findWaiting(this.client, { run: this.id });
      if ('waiting' in found) this.#found = found.waiting;
    } while (this.#again);
  }

  /** What waits and was not shown yet. Marks it as shown. */
  fresh(): Waiting[] {
    return this.all.filter((one) => {
      const known = this.#shown.has(keyOf(one));
      this.#shown.add(keyOf(one));
      return !known;
    });
  }

  /** What the person is asked next. */
  next(): Waiting | undefined {
    return this.all.find((one) => !this.#later.has(keyOf(one)));
  }

  has(waiting: Waiting): boolean {
    return this.all.some((one) => keyOf(one) === keyOf(waiting));
  }

  postpone(waiting: Waiting): void {
    this.#later.add(keyOf(waiting));
  }

  /** Shows and asks everything again. False if nothing waits. */
  again(): boolean {
    this.#later.clear();
    this.#shown.clear();
    return this.all.length > 0;
  }

  question(): PendingQuestion | undefined {
    return this.all.find(isQuestion);
  }

  /** All calls that wait, or those with this id: several if agents that work for this one have calls with that id. */
  approvals(toolUseId?: string): PendingApproval[] {
    return this.all.filter(
      (one): one is PendingApproval => !isQuestion(one) && (toolUseId ?? one.toolUseId) === one.toolUseId,
    );
  }
}

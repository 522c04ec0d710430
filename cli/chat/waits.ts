import type { PendingApproval } from '../../agent/approvals/approval';
import type { PendingQuestion } from '../../agent/conversation/questions';
import type { AgentClient } from '../../client/agent-client';
import { isQuestion, type Waiting } from '../inbox/lines';
import { findWaiting } from '../inbox/list';
import { keyOf } from './asks';

/** What waits for a person in a conversation, and in the agents that work for it. */
export class Waits {
  #found: readonly Waiting[] = [];
  /** What the facts that were read have told of. */
  readonly #told = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #later = new Set<string>();
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(
    private readonly client: AgentClient,
    private readonly id: string,
  ) {}

  /** What waits, as far as this run has told so: it may be ahead of what was read of it. */
  get all(): readonly Waiting[] {
    return this.#found.filter((one) => one.id !== this.id || this.#told.has(keyOf(one)));
  }

  /** A fact tells that it waits. */
  told(name: string): void {
    this.#told.add(`${this.id}/${name}`);
  }

  /** Looks for the first time at a run that may have asked before. */
  async takeUp(): Promise<void> {
    await this.look();
    for (const one of this.#found) this.#told.add(keyOf(one));
  }

  /** Looks anew; calls that come meanwhile make it look once more. */
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

  /** What waits and was not shown yet; it then counts as shown. */
  fresh(): Waiting[] {
    return this.all.filter((one) => {
      const known = this.#shown.has(keyOf(one));
      this.#shown.add(keyOf(one));
      return !known;
    });
  }

  /** What a person is to be asked next. */
  next(): Waiting | undefined {
    return this.all.find((one) => !this.#later.has(keyOf(one)));
  }

  has(waiting: Waiting): boolean {
    return this.all.some((one) => keyOf(one) === keyOf(waiting));
  }

  postpone(waiting: Waiting): void {
    this.#later.add(keyOf(waiting));
  }

  /** All that waits is shown and asked again; false where nothing does. */
  again(): boolean {
    this.#later.clear();
    this.#shown.clear();
    return this.all.length > 0;
  }

  question(): PendingQuestion | undefined {
    return this.all.find(isQuestion);
  }

  /** All calls that wait, or those of this name: several where agents that work for this one have a call of the same name. */
  approvals(toolUseId?: string): PendingApproval[] {
    return this.all.filter(
      (one): one is PendingApproval => !isQuestion(one) && (toolUseId ?? one.toolUseId) === one.toolUseId,
    );
  }
}

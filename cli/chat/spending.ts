import { addSpending, costText, NO_SPENDING, spendingIn } from '../../agent/model/cost/spending';
import { isNoUsage } from '../../agent/model/cost/usage';
import type { Fact } from '../../agent/protocol/facts/fact';
import { type ChatLine, chatLine } from './line';
import { seconds } from './stream';

/** The remaining fraction of the window below which the person is warned. */
const LITTLE = 0.1;

/** What an exchange costs: tokens, money, time, and space in the window. */
export class ChatSpending {
  #spent = NO_SPENDING;
  #calls = 0;
  #began: number | undefined;
  #warning: string | undefined;

  begin(time: number): void {
    this.#spent = NO_SPENDING;
    this.#calls = 0;
    this.#warning = undefined;
    this.#began = time;
  }

  note(fact: Extract<Fact, { type: 'usage' | 'budget.context' }>): void {
    if (fact.type === 'usage') {
      this.#spent = addSpending(this.#spent, spendingIn(fact));
      this.#calls += 1;
      return;
    }
    const { total, remaining } = fact;
    if (total === undefined || remaining === undefined) return;
    this.#warning =
      remaining >= total * LITTLE
        ? undefined
        : `${number(remaining)} of the model's ${number(total)} tokens are left; when they are used up, the oldest messages are no longer sent.`;
  }

  /** The lines at the end of an exchange. */
  end(time: number): ChatLine[] {
    const { prompt, completion, estimated } = this.#spent.usage;
    const money = costText(this.#spent);
    const said = [
      `${estimated ? 'about ' : ''}${number(prompt)} + ${number(completion)} tokens`,
      ...(money === '' ? [] : [money]),
      ...(this.#calls === 1 ? [] : [`${this.#calls} model calls`]),
      ...(this.#began === undefined ? [] : [seconds(time - this.#began)]),
    ];
    return [
      ...(isNoUsage(this.#spent.usage) ? [] : [chatLine('usage', said.join(' · '))]),
      ...(this.#warning === undefined ? [] : [chatLine('warning', this.#warning)]),
    ];
  }
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

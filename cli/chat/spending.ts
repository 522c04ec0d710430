import type { Fact } from '../../agent/protocol/fact';
import { type ChatLine, chatLine } from './line';
import { seconds } from './stream';

/** The remaining fraction of the window below which the person is warned. */
const LITTLE = 0.1;

/** What an exchange costs: tokens, money, time, and space in the window. */
export class ChatSpending {
  #prompt = 0;
  #completion = 0;
  #units = 0;
  #estimated = false;
  #calls = 0;
  #began: number | undefined;
  #warning: string | undefined;

  begin(time: number): void {
    this.#prompt = this.#completion = this.#units = this.#calls = 0;
    this.#estimated = false;
    this.#warning = undefined;
    this.#began = time;
  }

  note(fact: Extract<Fact, { type: 'usage' | 'budget.context' }>): void {
    if (fact.type === 'usage') {
      this.#prompt += fact.usage.prompt;
      this.#completion += fact.usage.completion;
      this.#units += fact.executionUnits;
      this.#estimated ||= fact.usage.estimated === true;
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
    const tokens = this.#prompt + this.#completion;
    const said = [
      `${this.#estimated ? 'about ' : ''}${number(this.#prompt)} + ${number(this.#completion)} tokens`,
      // Money, where models have prices.
      ...(this.#units === tokens ? [] : [`${Number(this.#units.toPrecision(3))} execution units`]),
      ...(this.#calls === 1 ? [] : [`${this.#calls} model calls`]),
      ...(this.#began === undefined ? [] : [seconds(time - this.#began)]),
    ];
    return [
      ...(tokens === 0 ? [] : [chatLine('usage', said.join(' · '))]),
      ...(this.#warning === undefined ? [] : [chatLine('warning', this.#warning)]),
    ];
  }
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

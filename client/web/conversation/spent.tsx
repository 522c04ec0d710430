import { moneyText } from '../../../agent/model/cost/money';
import type { ChatData } from './chat-message';

/** What an answer used, in one line. */
export function SpentLine({ usage, cost }: ChatData['spent']) {
  const tokens = usage === undefined ? 0 : usage.prompt + usage.completion;
  const texts = [
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString()} tokens`]),
    ...(cost === undefined ? [] : [moneyText(cost)]),
  ];
  return <span className="hint">{texts.join(', ')}</span>;
}

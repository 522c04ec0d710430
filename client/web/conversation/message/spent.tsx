import { type Money, moneyText } from '../../../../agent/model/cost/money';

/** What an answer used, in one line. */
export function SpentLine({ tokens, costs }: { tokens: number; costs: readonly Money[] }) {
  if (tokens === 0) return null;
  return <span className="hint">{[`${tokens.toLocaleString()} tokens`, ...costs.map(moneyText)].join(', ')}</span>;
}

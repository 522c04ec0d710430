import { costText, type SpentByRun } from '../../agent/model/cost/spending';
import type { Usage } from '../../agent/model/cost/usage';

/** Tokens, and money where models have prices. */
export function spentText({ children, ...spent }: Omit<SpentByRun, 'executionUnits'>): string {
  const money = costText(spent);
  const text = `${usageText(spent.usage)}${money === '' ? '' : `, ${money}`}`;
  if (children === undefined) return text;
  const agents = children.runs === 1 ? 'a child agent' : `${children.runs} child agents`;
  return `${text} (of that ${agents}: ${spentText(children)})`;
}

/** `about`: some of it is an estimate. */
export function usageText({ prompt, completion, estimated }: Usage): string {
  return `${estimated ? 'about ' : ''}${prompt} + ${completion} tokens`;
}

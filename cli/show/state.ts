import { budgetLines } from '../../agent/budget/budget-text';
import type { Pending } from '../../agent/protocol/queries';
import type { RunState } from '../../agent/state/run-state';
import type { JsonObject } from '../../agent/values/json';
import { visible } from '../../agent/values/visible';
import { budgetText } from '../lines/conversation-line';
import { oneLine, PROBLEM_WIDTH } from '../lines/facts/fact-line';
import { spentText } from '../lines/spent-text';
import { ownModelRows, waitRows } from './waits';

/** The state of a run, and what it waits for. */
export interface StateView {
  state: RunState;
  waits: Pending;
  /** Why an agent that works for the run does not go on, where its model has not been given up for now. */
  heldUp?: string;
}

/** The state of a run as rows for people. */
export function stateRows({ state, waits, heldUp }: StateView): string[][] {
  const {
    version,
    turn,
    toolInteractions,
    models,
    model,
    owner,
    metadata,
    batch,
    messages,
    end,
    unknownOutcomes,
    title,
    budget,
    undoable,
    outage,
    budgets,
  } = state;
  const chain = models.map((alias, i) => (i === model && models.length > 1 ? `[${alias}]` : alias));
  return [
    ...(title === undefined ? [] : [['title', oneLine(visible(title))]]),
    ...(version === undefined ? [] : [['contract', version]]),
    ...(state.mode === 'conversation' ? [['exchange', exchangeText(state)]] : []),
    ['turn', `${turn}, ${toolInteractions.current} of ${toolInteractions.max} tool interactions`],
    ['usage', spentText(state)],
    ...(budget === undefined ? [] : [['window', budgetText(budget)]]),
    ...(budgets === undefined ? [] : budgetLines(budgets).map((line, i) => [i === 0 ? 'budget' : '', line])),
    ...(chain.length === 0 ? [] : [['models', chain.join(', ')]]),
    ...(owner === undefined ? [] : [['owner', owner]]),
    ...(Object.keys(metadata).length === 0
      ? []
      : [['metadata', oneLine(JSON.stringify(metadata satisfies JsonObject))]]),
    ...(outage === undefined ? [] : ownModelRows({ ...outage, id: state.id, model: models[model] ?? '' })),
    ['messages', String(messages)],
    ...batch.map(({ toolUseId, name, status }, i) => [
      i === 0 ? 'calls' : '',
      `${toolUseId} ${name}${status === 'open' ? ', awaited' : ', settled'}`,
    ]),
    ...waitRows(state.id, waits),
    ...(heldUp === undefined ? [] : [['held up', oneLine(visible(heldUp), PROBLEM_WIDTH)]]),
    ...undoable
      .slice(0, MAX_UNDOABLE)
      .map(({ toolUseId, tool }, i) => [
        i === 0 ? 'undo' : '',
        `${toolUseId} ${tool}${i === MAX_UNDOABLE - 1 && undoable.length > MAX_UNDOABLE ? `, and ${undoable.length - MAX_UNDOABLE} before it` : ''}`,
      ]),
    ...unknownOutcomes.map(({ toolUseId, name }) => [
      'unknown',
      `${toolUseId} ${name}: it is unknown whether it took effect`,
    ]),
    ...(end?.error === undefined
      ? []
      : [['error', `${end.error.type}: ${oneLine(visible(end.error.message), PROBLEM_WIDTH)}`]]),
  ];
}

/** Maximum undoable calls that are shown, the newest first. */
const MAX_UNDOABLE = 5;

/** The state of a conversation. */
function exchangeText({ exchange, idle, queued, closing, end }: RunState): string {
  return [
    String(exchange),
    ...(idle && end === undefined ? ['waits for a message'] : []),
    ...(queued === 0 ? [] : [`${queued} ${queued === 1 ? 'message waits' : 'messages wait'}`]),
    ...(closing === undefined || end !== undefined ? [] : ['takes no more messages']),
  ].join(', ');
}

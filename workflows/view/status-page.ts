import { budgetLines } from '../../agent/budget/budget-text';
import { costText, type Spending } from '../../agent/model/cost/spending';
import type { FactBody } from '../../agent/protocol/facts/fact';
import type { Conclusion } from '../../agent/state/conclusion';
import { awayText, nextTryText } from '../../agent/state/outage-text';
import type { AgentState } from '../../agent/state/state';
import { modelInUse } from '../state/selectors/model-in-use';
import { reportOf } from '../state/selectors/spent';
import { breakerLines } from './breaker-lines';
import { budgetView } from './budget-view';
import { failedEnd, notRun } from './call-end';
import { code } from './code-text';
import { planLines } from './status-plan';
import { begunCalls, howToDecide, isPlain, MAX_COMMAND, waitingText, whoMay } from './status-waits';

/** Calls that the page shows. */
const CALLS = 6;
const MAX_ERROR = 300;

interface ShownCall {
  /** Missing for a call that the run did not plan. */
  toolUseId?: string;
  name: string;
  state: string;
}

/** The page of a run in the Web UI: its state, its last calls, its last error. */
export class StatusPage {
  readonly #calls: ShownCall[] = [];
  #last: FactBody['type'] | undefined;
  #error: string | undefined;
  #compacts = false;

  /** Takes new facts, in their order. */
  note(facts: readonly FactBody[]): void {
    for (const fact of facts) this.#take(fact);
  }

  /** Markdown. Text from models, tools and callers is in code, so that it cannot add links or images. */
  text(state: AgentState, now = 0): string {
    const { agent, owner, children } = state;
    const { usage, ...money } = reportOf(state);
    const view = budgetView(state, now);
    return [
      `**${agent}** ${this.#doing(state)}`,
      '',
      `- ${turns(state)}`,
      ...exchangeLine(state),
      `- model ${code(modelInUse(state))}: ${usage.prompt} tokens in, ${usage.completion} out${moneyLine(money)}`,
      ...toolsLine(state),
      ...(children === undefined ? [] : [`- of that ${childrenText(children)}`]),
      ...(view === undefined ? [] : budgetLines(view).map((line) => `- budget: ${line}`)),
      ...(owner === undefined ? [] : [`- owner ${code(owner)}`]),
      ...breakerLines(state),
      ...planLines(state),
      ...howToDecide(state),
      ...this.#lastCalls(),
      ...(this.#error === undefined ? [] : ['', `Last error: ${this.#error}`]),
      '',
      `Look closer: ${isPlain(state.id) ? `${code(`holdfast show ${state.id}`, MAX_COMMAND)}, or ` : ''}the queries \`holdfast.state\`, \`holdfast.facts\` and \`holdfast.transcript\`.`,
    ].join('\n');
  }

  #take(fact: FactBody): void {
    this.#last = fact.type;
    if (fact.type === 'context.compacting') this.#compacts = true;
    if (ENDS_COMPACTION.has(fact.type)) this.#compacts = false;
    switch (fact.type) {
      case 'tool.call':
        this.#show({ toolUseId: fact.toolUseId, name: fact.name, state: 'running' });
        return;
      case 'tool.dropped':
        this.#show({ name: fact.name, state: notRun('another call had priority') });
        return;
      case 'tool.result':
        this.#settle(fact.toolUseId, 'done');
        return;
      case 'tool.error':
        // The decision of a person is not an error.
        if (fact.error.type === 'Denied') this.#deny(fact.toolUseId);
        else {
          this.#error = error(`${fact.toolUseId} ${fact.name}`, fact.error);
          this.#settle(fact.toolUseId, failedEnd(fact.error.type));
        }
        return;
      case 'approval.requested':
      case 'approval.escalated':
        this.#settle(fact.toolUseId, `waits for ${whoMay(fact.deciders)} to approve it`);
        return;
      case 'approval.decided':
        if (fact.decision === 'deny') this.#deny(fact.toolUseId, fact.by);
        else this.#settle(fact.toolUseId, 'running');
        return;
      case 'approval.remembered':
        if (!fact.allowed) this.#deny(fact.toolUseId, fact.by);
        return;
      case 'question.asked':
        this.#settle(fact.toolUseId, 'waiting for an answer');
        return;
      case 'question.answered':
      case 'question.declined':
      case 'question.expired':
      case 'question.withdrawn':
        this.#settle(fact.toolUseId, fact.type.slice('question.'.length));
        return;
      case 'exchange.end':
        if (fact.error !== undefined) this.#error = error('exchange', fact.error);
        return;
      case 'service.called':
        this.#settle(fact.toolUseId, 'awaiting answer');
        return;
      case 'service.answered':
        this.#settle(fact.toolUseId, 'answered');
        return;
      case 'model.waiting':
        this.#error = error(`model ${fact.model}`, fact.error);
        return;
      case 'model.switched':
        // The choice of a person is not an error.
        if (fact.why === 'failed') this.#error = error(`model ${fact.from}, ${fact.to} took over`, fact.error);
        return;
      case 'context.summary.failed':
        this.#error = error('summary of old messages', fact.error);
        return;
      case 'prompt.section.failed':
        this.#error = error(`section ${fact.section}, left out`, fact.error);
        return;
      case 'model.fallback':
        this.#error = error('every model failed', fact.error);
        return;
      case 'tool.none':
        if (fact.error !== undefined) this.#error = error(`turn ${fact.turn}`, fact.error);
        return;
      case 'output.rejected':
        this.#error = error(`turn ${fact.turn}`, { type: 'answer rejected', message: fact.error });
        return;
      case 'loop.end':
        if (fact.error !== undefined) this.#error = error(undefined, fact.error);
        return;
    }
  }

  #show(call: ShownCall): void {
    this.#calls.push(call);
    if (this.#calls.length > CALLS) this.#calls.shift();
  }

  #settle(toolUseId: string, state: string): void {
    const call = this.#calls.find((shown) => shown.toolUseId === toolUseId);
    if (call !== undefined) call.state = state;
  }

  #deny(toolUseId: string, by?: string): void {
    const known = this.#calls.find((shown) => shown.toolUseId === toolUseId)?.state.startsWith(notRun('denied'));
    if (by === undefined && known) return;
    this.#settle(toolUseId, notRun(by === undefined ? 'denied' : `denied by ${code(by)}`));
  }

  #doing(state: AgentState): string {
    const { phase, manifest, batch } = state;
    if (phase.at === 'ended') return ENDED[phase.reason];
    if (phase.at === 'starting') {
      return `starts: its ${manifest === undefined ? 'tools are being looked up' : 'first messages are being made'}`;
    }
    if (this.#compacts) return 'compacts old messages';
    if (phase.at === 'outage' && phase.nextAt !== undefined) {
      const { since, nextAt } = phase;
      return `waits for its model. ${awayText({ model: modelInUse(state), since }, { name: code })} ${nextTryText(nextAt)}`;
    }
    const waiting = waitingText(state);
    if (waiting !== undefined) return waiting;
    const running = begunCalls(batch);
    const [first] = running;
    if (first !== undefined) {
      return running.length === 1 ? `runs the tool ${code(first.name)}` : `runs ${running.length} tools at once`;
    }
    // The usage is the last fact of an answer before its calls are known, or before it is checked.
    return this.#last === 'usage' ? 'checks its answer' : `asks the model ${code(modelInUse(state))}`;
  }

  #lastCalls(): string[] {
    if (this.#calls.length === 0) return [];
    const lines = this.#calls.map(({ toolUseId, name, state }) => {
      return `- ${toolUseId === undefined ? '' : `${toolUseId} `}${code(name)}: ${state}`;
    });
    return ['', 'Last calls, the newest first:', '', ...lines.reverse()];
  }
}

/** The model is called after a compaction, unless the exchange or the run ended in it. */
const ENDS_COMPACTION: ReadonlySet<FactBody['type']> = new Set([
  'context.compacted',
  'context.summary.failed',
  'loop.iteration',
  'exchange.end',
]);

const ENDED = { completed: 'has completed', failed: 'has failed', cancelled: 'was cancelled' } as const;

/** For a conversation: its title, the message that it answers, and how many wait. */
function exchangeLine({ manifest, exchange, title, inbox }: AgentState): string[] {
  if (manifest?.mode !== 'conversation') return [];
  const named = title === undefined ? 'conversation' : `conversation ${code(title)}`;
  const queued = inbox.length === 0 ? '' : `, ${inbox.length} more ${inbox.length === 1 ? 'waits' : 'wait'}`;
  return [`- ${named}: ${exchange === 0 ? 'no message yet' : `message ${exchange}`}${queued}`];
}

/** With a tool filter: how much of the tools the model saw. */
function toolsLine({ offered }: AgentState): string[] {
  if (offered === undefined || offered.hidden === 0) return [];
  const all = offered.offered + offered.hidden;
  return [`- ${offered.offered} of ${all} tools offered, which saves ${offered.saved} tokens a call`];
}

function childrenText({ runs, usage, ...money }: NonNullable<AgentState['children']>): string {
  const agents = runs === 1 ? 'a child agent' : `${runs} child agents`;
  return `${agents}: ${usage.prompt} tokens in, ${usage.completion} out${moneyLine(money)}`;
}

function moneyLine(money: Omit<Spending, 'usage'>): string {
  const text = costText(money);
  return text === '' ? '' : `, ${text}`;
}

function turns({ turn, toolInteractions: { current, max }, concluding }: AgentState): string {
  if (concluding) return `turn ${turn}, the last one: ${whyLast(concluding, max)}`;
  return max === 0 ? 'no turn yet' : `turn ${current} of ${max}`;
}

function whyLast(conclusion: Conclusion, max: number): string {
  switch (conclusion) {
    case 'interactions':
      return `all ${max} tool interactions are used`;
    case 'window':
      return 'the context window is almost full';
    case 'budget':
      return 'the budget is used up';
    case 'repeating':
      return 'the model repeats a call';
    case 'silent':
      return 'the model gives no answer';
  }
}

function error(where: string | undefined, { type, message }: { type: string; message: string }): string {
  return `${where === undefined ? '' : `${code(where)}: `}${type}, ${code(message, MAX_ERROR)}`;
}

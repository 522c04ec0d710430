import type { QueuedMessage } from '../../../agent/conversation/messages';
import { planCalls } from '../../../agent/plan/plan-calls';
import { errorOutcome } from '../../../agent/protocol/calls/tool-outcome';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { AgentState } from '../../../agent/state/state';
import { type StepInput, step } from '../../../workflows/state/reduce';
import { saidTexts } from '../../conversation/check-talk';
import { modelAnswer, runState, toolSpec } from '../state-data';

/** A conversation without a server, driven as by the loop. Events that make no sense in a state do nothing. */
export class DrivenTalk {
  state: AgentState;
  readonly facts: Fact[] = [];
  /** Everything that people said. */
  readonly said: string[] = [];
  thinking = false;

  constructor() {
    const state = runState([toolSpec('put', { undo: true })], {
      exchange: 0,
      phase: { at: 'idle' },
      messages: [],
      opened: -1,
    });
    const { manifest } = state;
    if (manifest === undefined) throw new Error('no manifest');
    this.state = { ...state, manifest: { ...manifest, mode: 'conversation' } };
  }

  /** Whether the loop may call the model. */
  get ready(): boolean {
    return this.state.phase.at !== 'idle' && !this.thinking && this.state.batch.length === 0;
  }

  get open(): string[] {
    return this.state.batch.flatMap(({ toolUseId, status }) => (status === 'open' ? [toolUseId] : []));
  }

  get nextExchange(): number {
    return (this.state.inbox.at(-1)?.exchange ?? this.state.exchange) + 1;
  }

  apply(...inputs: StepInput[]): void {
    for (const input of inputs) {
      const { state, facts } = step(this.state, input);
      for (const fact of facts) {
        this.facts.push({ ...fact, seq: this.facts.length + 1, time: 0, exchange: state.exchange });
      }
      this.state = state;
    }
  }

  message(exchange: number): QueuedMessage {
    const text = `m${this.said.length}`;
    this.said.push(text);
    return { parts: [{ type: 'text', text }], exchange, at: 0, id: text };
  }

  settle(calls: readonly string[], lost = false): void {
    const outcome = lost
      ? errorOutcome('ToolCancelled', 'gone')
      : { content: [{ type: 'text' as const, text: 'put' }] };
    for (const toolUseId of calls) this.apply({ type: 'settled', toolUseId, outcome });
    if (calls.length > 0 && this.open.length === 0) this.apply({ type: 'batchSettled' });
  }

  /** The model call ends before its answer is complete. */
  breakOff(why: 'steered' | 'interrupted', size: number): void {
    const parts = size === 0 ? [] : [{ type: 'text' as const, text: 'half an ans' }];
    const usage = { prompt: 1, completion: 1 };
    this.apply({ type: 'answerInterrupted', partial: { parts, usage, executionUnits: 2 } }, { type: 'withdrawn', why });
  }

  /** Messages from people, wherever they are now. */
  held(): string[] {
    const { messages, steers, inbox } = this.state;
    const waiting = [...steers, ...inbox].flatMap(({ parts }) => parts);
    const texts = waiting.map((part) => (part.type === 'text' ? part.text : ''));
    return [...saidTexts(messages), ...texts].filter((text) => /^m\d+$/.test(text));
  }
}

type Event = (talk: DrivenTalk, size: number) => void;

/** An event that needs a model call in progress and ends it. */
function answer(event: Event): Event {
  return (talk, size) => {
    if (!talk.thinking) return;
    talk.thinking = false;
    event(talk, size);
  };
}

/** Everything that may happen, in any order. */
export const EVENTS = {
  send: (talk) => {
    const { length: ahead } = talk.state.inbox;
    talk.apply({ type: 'received', message: talk.message(talk.nextExchange), ahead });
  },
  steer: (talk) => {
    const { phase, exchange } = talk.state;
    if (phase.at !== 'idle') talk.apply({ type: 'steered', message: talk.message(exchange), when: 'queue' });
  },
  begin: (talk) => {
    const { phase, inbox } = talk.state;
    if (phase.at === 'idle' && inbox.length > 0) talk.apply({ type: 'exchangeBegun' });
  },
  regenerate: (talk) => {
    const { phase, inbox, exchange } = talk.state;
    const message = { parts: [], exchange: exchange + 1, at: 0, regenerates: exchange };
    if (phase.at === 'idle' && inbox.length === 0 && exchange > 0) talk.apply({ type: 'received', message, ahead: 0 });
  },
  undo: (talk) => {
    const { toolUseId } = talk.state.effects.findLast(({ undone }) => undone === undefined) ?? {};
    if (toolUseId === undefined) return;
    talk.apply({ type: 'undoBegun', toolUseIds: [toolUseId], at: 0 }, { type: 'undone', toolUseId, text: 'gone' });
  },
  call: (talk) => {
    if (!talk.ready) return;
    talk.thinking = true;
    talk.apply({ type: 'calling' });
  },
  say: answer((talk) => {
    const said = modelAnswer({ text: 'an answer' });
    talk.apply({ type: 'answered', answer: said });
    if (talk.state.steers.length > 0) talk.apply({ type: 'unchecked', answer: said });
    else talk.apply({ type: 'completed', data: 'an answer', text: 'an answer' });
  }),
  act: answer((talk, size) => {
    const requests = Array.from({ length: 1 + size }, (_, i) => ({ name: i === 1 ? 'lost' : 'put', input: {} }));
    const said = modelAnswer({ requests });
    const plan = planCalls(said.toolRequests, talk.state);
    talk.apply({ type: 'answered', answer: said }, { type: 'acting', answer: said, plan });
  }),
  fallBack: answer((talk) => talk.apply({ type: 'fellBack', error: { type: 'ModelUnavailable', message: 'gone' } })),
  steerNow: answer((talk, size) => {
    talk.apply({ type: 'steered', message: talk.message(talk.state.exchange), when: 'now' });
    talk.breakOff('steered', size);
  }),
  settle: (talk, size) => talk.settle(talk.open.slice(0, 1 + size)),
  fail: (talk) => {
    const error = { type: 'ToolQuotaExhausted', message: 'enough' };
    if (talk.ready) talk.apply({ type: 'exchangeEnded', reason: 'failed', error });
  },
  interrupt: (talk, size) => {
    talk.settle(talk.open, true);
    if (talk.thinking) talk.breakOff('interrupted', size);
    talk.thinking = false;
    if (talk.state.phase.at !== 'idle') talk.apply({ type: 'exchangeEnded', reason: 'interrupted' });
  },
} satisfies { [name: string]: Event };

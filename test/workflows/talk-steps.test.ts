import fc from 'fast-check';
import type { Fact } from '../../agent/fact';
import type { AgentState } from '../../agent/state';
import type { QueuedMessage } from '../../agent/talk';
import { errorOutcome } from '../../agent/tool-outcome';
import { type StepInput, step } from '../../workflows/step';
import { saidTexts, talkProblems } from '../talk/check-talk';
import { answerOf, runState, toolSpec } from './state-data';

/** What may happen to a conversation, as often and in whatever order: what makes no sense just then is left out. */
const EVENTS = [
  ...['send', 'send', 'steer', 'begin', 'begin', 'call', 'call', 'call', 'say', 'act', 'act', 'settle', 'settle'],
  ...['steerNow', 'interrupt', 'fail', 'regenerate', 'undo', 'fallBack'],
] as const;
const usage = { prompt: 1, completion: 1 };

/** A conversation that is driven as the loop would do it. */
class Driven {
  state: AgentState = runState([toolSpec('put', { undo: true })], {
    exchange: 0,
    idle: true,
    messages: [],
    opened: -1,
  });
  readonly facts: Fact[] = [];
  readonly said: string[] = [];
  #thinking = false;

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

  settle(open: readonly { toolUseId: string }[], lost = false): void {
    const outcome = lost
      ? errorOutcome('ToolCancelled', 'gone')
      : { content: [{ type: 'text' as const, text: 'put' }] };
    for (const { toolUseId } of open) this.apply({ type: 'settled', toolUseId, outcome });
    if (this.state.awaiting.every(({ outcome }) => outcome !== undefined)) this.apply({ type: 'batchSettled' });
  }

  happen(event: string, size: number): void {
    const { state } = this;
    const { idle, inbox, exchange, turn } = state;
    const open = state.awaiting.filter(({ outcome }) => outcome === undefined);
    const ready = !idle && !this.#thinking && state.awaiting.length === 0;
    const next = (inbox.at(-1)?.exchange ?? exchange) + 1;
    const text = answerOf({ parts: [{ type: 'text', text: `a${turn}` }], usage });
    const cut = { parts: size > 0 ? text.parts : [], usage, executionUnits: 1 };
    switch (event) {
      case 'send':
        return this.apply({ type: 'received', message: this.message(next), ahead: inbox.length });
      case 'steer':
        if (!idle) this.apply({ type: 'steered', message: this.message(exchange), when: 'queue' });
        return;
      case 'begin':
        if (idle && inbox.length > 0) this.apply({ type: 'exchangeBegun' });
        return;
      case 'regenerate':
        if (idle && inbox.length === 0 && exchange > 0) {
          this.apply({
            type: 'received',
            message: { parts: [], exchange: next, at: 0, regenerates: exchange },
            ahead: 0,
          });
        }
        return;
      case 'undo': {
        const { toolUseId } = state.undoable.findLast(({ undone }) => undone === undefined) ?? {};
        if (toolUseId === undefined) return;
        const ids = [toolUseId];
        return this.apply({ type: 'undoBegun', toolUseIds: ids, at: 0 }, { type: 'undone', toolUseId, text: 'gone' });
      }
      case 'call':
        if (ready) this.apply({ type: 'calling', conclude: false });
        this.#thinking ||= ready;
        return;
      case 'settle':
        if (open.length > 0) this.settle(open.slice(0, 1 + size));
        return;
      case 'fail':
        if (ready) this.apply({ type: 'exchangeEnded', reason: 'failed', error: { type: 'X', message: 'x' } });
        return;
      case 'interrupt':
        if (open.length > 0) this.settle(open, true);
        if (this.#thinking) this.apply({ type: 'cut', remains: cut }, { type: 'withdrawn', why: 'interrupted' });
        this.#thinking = false;
        if (!idle) this.apply({ type: 'exchangeEnded', reason: 'interrupted' });
        return;
    }
    if (!this.#thinking) return;
    this.#thinking = false;
    const steered = state.steers.length > 0;
    if (event === 'steerNow') {
      this.apply(
        { type: 'steered', message: this.message(exchange), when: 'now' },
        { type: 'cut', remains: cut },
        { type: 'withdrawn', why: 'steered' },
      );
    } else if (event === 'say') {
      this.apply({ type: 'answered', answer: text });
      if (steered) this.apply({ type: 'unchecked', answer: text });
      else this.apply({ type: 'completed', data: 'x', text: 'x' });
    } else if (event === 'act') {
      const toolRequests = Array.from({ length: 1 + size }, () => ({ name: 'put', input: {} }));
      const answer = answerOf({ toolRequests, usage });
      this.apply({ type: 'answered', answer }, { type: 'acting', answer });
    } else if (event === 'fallBack') {
      this.apply({ type: 'fellBack', error: { type: 'X', message: 'x' } });
    } else {
      this.#thinking = true;
    }
  }

  /** Messages of persons, wherever they stand now. */
  held(): string[] {
    const { messages, steers, inbox } = this.state;
    const waiting = [...steers, ...inbox].flatMap(({ parts }) => parts);
    const texts = waiting.map((part) => (part.type === 'text' ? part.text : ''));
    return [...saidTexts(messages), ...texts].filter((text) => /^m\d+$/.test(text));
  }
}

const event = fc.tuple(fc.constantFrom(...EVENTS), fc.nat({ max: 2 }));

test('whatever happens to a conversation, no message is lost or doubled, and its transcript is whole', () => {
  const property = fc.property(fc.array(event, { maxLength: 60 }), fc.boolean(), (events, cancelled) => {
    const talk = new Driven();
    for (const [what, size] of events) {
      talk.happen(what, size);
      expect(talk.held().sort()).toEqual([...talk.said].sort());
    }
    if (!talk.state.idle) talk.happen('interrupt', 1);
    if (!cancelled) for (const _ of talk.state.inbox) for (const next of ['begin', 'call', 'say']) talk.happen(next, 0);
    talk.apply({ type: 'ended', reason: cancelled ? 'cancelled' : 'completed' });
    expect(talk.state).toMatchObject({ inbox: [], steers: [], notes: [] });
    expect(talkProblems(talk.facts, talk.state.messages)).toEqual([]);
    expect(talk.held().sort()).toEqual([...talk.said].sort());
  });
  fc.assert(property, { numRuns: 500 });
});

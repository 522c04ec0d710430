import type { Fact } from '../../../agent/protocol/facts/fact';

/** Something that takes time in an exchange. Times are milliseconds since 1970. */
export interface Span {
  key: string;
  /** `wait`: for a person, or for a model that gives no answer. */
  kind: 'model' | 'tool' | 'service' | 'wait';
  label: string;
  start: number;
  /** Missing: not ended. */
  end?: number;
  failed: boolean;
  /** What happened on the way, such as a rejected output. */
  notes: string[];
}

/** One exchange of a run: what took time in it. */
export interface Exchange {
  number: number;
  start: number;
  end?: number;
  /** Why it ended. */
  reason?: string;
  /** The message that it answers. */
  asked: string;
  spans: Span[];
  facts: Fact[];
}

/** The exchanges of a run, in order. Facts before the first one belong to it. */
export function exchangesOf(facts: readonly Fact[]): Exchange[] {
  const exchanges = new Map<number, Exchange>();
  for (const fact of facts) {
    const number = Math.max(1, fact.exchange);
    let exchange = exchanges.get(number);
    if (exchange === undefined) {
      exchange = { number, start: fact.time, asked: '', spans: [], facts: [] };
      exchanges.set(number, exchange);
    }
    exchange.facts.push(fact);
    if (fact.type === 'exchange.start') exchange.start = fact.time;
    if (fact.type === 'message' && fact.message.role === 'user' && exchange.asked === '') {
      exchange.asked = fact.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
    }
    if (fact.type === 'exchange.end' || fact.type === 'loop.end') {
      exchange.end ??= fact.time;
      exchange.reason ??= fact.reason;
    }
  }
  return [...exchanges.values()].map((exchange) => ({ ...exchange, spans: spansOf(exchange.facts, exchange.end) }));
}

/** What took time, in the order in which it began. `end`: when everything had ended. */
export function spansOf(facts: readonly Fact[], end?: number): Span[] {
  const spans: Span[] = [];
  const open = new Map<string, Span>();
  const begin = (id: string, kind: Span['kind'], label: string, start: number) => {
    const span: Span = { key: `${id} ${spans.length}`, kind, label, start, failed: false, notes: [] };
    spans.push(span);
    open.set(id, span);
  };
  const finish = (id: string, at: number, failed = false) => {
    const span = open.get(id);
    if (span === undefined) return;
    span.end = at;
    span.failed = failed;
    open.delete(id);
  };
  let nextTry = 0;
  /** The call that is made at the end of an outage has no fact of its own. */
  const againAfterOutage = (time: number, turn: number) => {
    if (!open.has('outage')) return;
    const at = Math.min(time, nextTry);
    finish('outage', at);
    begin('model', 'model', `model, turn ${turn}`, at);
  };
  const lastModel = () => spans.findLast(({ kind }) => kind === 'model');
  /** A failed call of a model that ends an exchange has no fact of its own. */
  const fail = (why: string, time: number) => {
    finish('model', time);
    const span = spans.at(-1);
    if (span?.kind !== 'model' || span.notes.includes(why)) return;
    span.failed = true;
    span.notes.push(why);
  };
  const note = (id: string, text: string) => open.get(id)?.notes.push(text);

  for (const fact of facts) {
    const { time } = fact;
    switch (fact.type) {
      case 'loop.iteration':
      case 'model.retried':
        finish('outage', time);
        finish('model', time);
        begin('model', 'model', `model, turn ${fact.turn}${purposeOf(fact)}`, time);
        break;
      case 'usage':
        againAfterOutage(time, fact.turn);
        if (fact.for !== 'summary') renamed(open.get('model'), fact.model, fact.turn);
        finish('model', time);
        break;
      case 'text.withdrawn':
        finish('model', time);
        lastModel()?.notes.push(fact.why);
        break;
      case 'exchange.end':
      case 'loop.end':
        if (fact.error !== undefined) fail(fact.error.message, time);
        break;
      case 'model.waiting':
        againAfterOutage(time, fact.turn);
        note('model', `try ${fact.attempt} failed: ${fact.error.message}`);
        finish('model', time, true);
        begin('outage', 'wait', `${fact.model} gives no answer`, time);
        nextTry = fact.nextAt;
        break;
      case 'model.switched':
        note('model', `${fact.from} → ${fact.to}`);
        finish('outage', time);
        break;
      case 'tool.call':
        begin(`call ${fact.toolUseId}`, 'tool', fact.name, time);
        break;
      case 'tool.result':
      case 'tool.error': {
        const span = open.get(`call ${fact.toolUseId}`);
        if (span !== undefined && fact.ran !== undefined) span.start = Math.min(span.start, fact.ran.start);
        if (fact.type === 'tool.error') note(`call ${fact.toolUseId}`, fact.error.message);
        finish(`service ${fact.toolUseId}`, time, fact.type === 'tool.error');
        finish(`call ${fact.toolUseId}`, fact.ran?.end ?? time, fact.type === 'tool.error');
        break;
      }
      case 'service.called':
        finish(`call ${fact.toolUseId}`, time);
        begin(`service ${fact.toolUseId}`, 'service', fact.name, time);
        break;
      case 'service.answered':
        finish(`service ${fact.toolUseId}`, time);
        break;
      case 'approval.requested':
        begin(`approval ${fact.toolUseId}`, 'wait', `approval of ${fact.name}`, time);
        break;
      case 'approval.decided':
        note(`approval ${fact.toolUseId}`, `${DECIDED[fact.decision]} by ${fact.by}`);
        finish(`approval ${fact.toolUseId}`, time, fact.decision === 'deny');
        break;
      case 'approval.expired':
        note(`approval ${fact.toolUseId}`, 'expired');
        finish(`approval ${fact.toolUseId}`, time, true);
        break;
      case 'question.asked':
        begin(`question ${fact.questionId}`, 'wait', `question of ${fact.name}`, time);
        break;
      case 'question.answered':
      case 'question.declined':
      case 'question.expired':
      case 'question.withdrawn':
        note(`question ${fact.questionId}`, fact.type.slice('question.'.length));
        finish(`question ${fact.questionId}`, time, fact.type !== 'question.answered');
        break;
    }
  }
  // What had not ended when the exchange did was stopped with it.
  if (end !== undefined) for (const id of open.keys()) finish(id, end, true);
  return spans.sort((a, b) => a.start - b.start);
}

const DECIDED = { approve: 'approved', deny: 'denied', edit: 'edited' };

function purposeOf(fact: Fact): string {
  return 'for' in fact && typeof fact.for === 'string' ? ` (${fact.for})` : '';
}

function renamed(span: Span | undefined, model: string, turn: number): void {
  if (span !== undefined) span.label = `${model}, turn ${turn}`;
}

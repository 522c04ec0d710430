import { basename } from 'node:path';
import type { Fact, JsonObject, Message } from 'holdfast';

/** Tells a run in lines for people. */
export class Teller {
  /** Arguments of the calls, by id. */
  readonly #calls = new Map<string, JsonObject>();
  /** A nudge whose text the model reads next. */
  #nudge: string | undefined;

  constructor(private readonly folder: string) {}

  /** The lines of a fact: none if it does not interest people. */
  lines(fact: Fact): string[] {
    return this.#told(fact).map((line) => line.replaceAll(`${this.folder}/`, '').replaceAll(this.folder, '.'));
  }

  #told(fact: Fact): string[] {
    switch (fact.type) {
      case 'message':
        return this.#said(fact.message);
      case 'tool.call':
        this.#calls.set(fact.toolUseId, fact.input);
        return [];
      case 'tool.result':
        return fact.name === 'files.move_file' ? [`✓ ${this.#files(fact.toolUseId)}`] : [];
      case 'tool.error':
        return this.#failed(fact);
      case 'answer.nudged':
        // The answer comes first, as a message.
        this.#nudge = `! nudge ${fact.number}: the answer is ${fact.why}${fact.why === 'empty' ? '' : ` ("${fact.sign}")`}`;
        return [];
      case 'answer.replaced':
        return ['! still no answer: a fixed text takes its place'];
      case 'breaker.stopped':
        return [`! stopped (${fact.why}): the model has to conclude, without tools`];
      case 'plan.made':
        return fact.steps.map(({ step, description }) => `· plan ${step}: ${description}`);
      case 'plan.step':
        return fact.status === 'failed' ? [`✗ step ${fact.step} of the plan failed`] : [];
      case 'plan.fallback':
        return [`! the plan is given up (${WHY[fact.why] ?? fact.why}): the single loop goes on`];
      case 'model.switched':
        return [`! ${fact.from} is dead${fact.why === 'failed' ? ` (${fact.error.type})` : ''}: ${fact.to} takes over`];
      case 'model.fallback':
        return [`! the last model is dead (${fact.error.type}): the static answer is used`];
      case 'loop.end':
        return [`■ ${fact.reason} after ${fact.turns} turn${fact.turns === 1 ? '' : 's'}`];
      default:
        return [];
    }
  }

  /** What the model says, and what it reads after a nudge. */
  #said({ role, parts }: Message): string[] {
    const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (said === '') return [];
    if (role === 'assistant') return [`“ ${said}`];
    const nudge = this.#nudge;
    this.#nudge = undefined;
    return nudge === undefined ? [] : [nudge, toModel(said)];
  }

  /** A call that failed, or that the breaker did not run. */
  #failed({ toolUseId, name, error }: Extract<Fact, { type: 'tool.error' }>): string[] {
    if (error.type !== 'RepeatedCall') return [`✗ ${name}: ${error.message}`];
    return [`! skipped: ${name} ${this.#files(toolUseId)}`, toModel(error.message)];
  }

  /** The names in the arguments of a call. */
  #files(toolUseId: string): string {
    const { path, source, destination } = this.#calls.get(toolUseId) ?? {};
    const paths = path === undefined ? [source, destination] : [path];
    return paths.map((one) => basename(String(one))).join(' → ');
  }
}

const WHY: { readonly [why: string]: string } = { unreadable: 'it is unreadable', step: 'a step failed' };

function toModel(said: string): string {
  return `  to the model: ${said}`;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { PendingApproval } from '../../agent/approvals/approval';
import type { PendingQuestion } from '../../agent/conversation/questions';
import type { PendingService } from '../../agent/protocol/calls/pending-service';
import type { Pending } from '../../agent/protocol/queries';
import type { JsonObject } from '../../agent/values/json';
import type { Random } from '../determinism/random/random';
import type { Teller } from '../determinism/random/teller';

/** Milliseconds, on average, between two things that a person does. */
const PACE = 700;
/** Milliseconds that an answer in time takes at most. */
const SOON = 500;

/** People and services: what they do, sometimes wrongly, twice or late. A teller for each run that asks. */
export class WholePeople {
  readonly #known = new Set<string>();

  constructor(private readonly tellerOf: (id: string) => Teller) {}

  hear({ approvals, questions, services }: Pending): void {
    for (const one of approvals)
      this.#once(`approval ${one.id} ${one.toolUseId} ${one.escalated}`, one.id, (teller) => decide(teller, one));
    for (const one of questions)
      this.#once(`question ${one.id} ${one.questionId}`, one.id, (teller) => reply(teller, one));
    for (const one of services) this.#once(`service ${one.ref}`, one.id, (teller) => serve(teller, one));
  }

  #once(name: string, id: string, act: (teller: Teller) => Promise<void>): void {
    if (this.#known.has(name)) return;
    this.#known.add(name);
    const teller = this.tellerOf(id);
    teller.later(() => act(teller));
  }
}

async function decide(teller: Teller, { tool, toolUseId, expiresAt }: PendingApproval): Promise<void> {
  const { random } = teller;
  const wait = random.below(SOON);
  const whats = random.pick([
    ['approve'],
    ['approve'],
    ['deny'],
    ['edit'],
    ['approve', 'deny'],
    ['edit', 'edit'],
    ['deny', 'edit'],
  ]);
  const remember = random.pick([undefined, undefined, 'run', 'agent']);
  const vias = whats.map(() => teller.via());
  const edit = editOf(tool, random);
  if (expiresAt !== undefined && random.next() < 0.3) return;
  await delay(wait);
  const roles = random.below(4) === 0 ? {} : { roles: ['boss', 'clerk'] };
  await Promise.all(
    whats.map((what, i) => {
      const more = what === 'edit' ? { input: edit } : {};
      const by = ['ann', 'bob'][i] as string;
      return teller.tell(
        vias[i] ?? 'update',
        what,
        { toolUseId, by, ...roles, ...more, ...(remember && { remember }) },
        toolUseId,
      );
    }),
  );
  // A wrong edit or a person who may not decide leaves it open.
  if (expiresAt !== undefined) return;
  await delay(wait + 1500);
  await teller.tell('update', 'approve', { toolUseId, by: 'eve', roles: ['boss', 'clerk'] }, toolUseId);
}

function editOf(tool: string, random: Random): JsonObject {
  const plans = [{ steps: [{ step_number: 1, description: 'Look' }] }, { steps: [] }];
  return random.pick<JsonObject>([
    ...(tool === 'follow_plan' ? plans : []),
    { mark: 'edited' },
    { mark: 'edited' },
    { mark: 7 },
  ]);
}

async function reply(teller: Teller, { questionId, schema, expiresAt }: PendingQuestion): Promise<void> {
  const { random } = teller;
  const wait = random.below(SOON);
  const [first, last] = [teller.via(), teller.via()];
  const [declines, wrong, twice] = [random.below(4) === 0, random.below(3) === 0, random.below(4) === 0];
  if (expiresAt !== undefined && random.next() < 0.3) return;
  await delay(wait);
  const number = schema?.type === 'number';
  if (number && wrong) await teller.tell(first, 'answer', { questionId, answer: 'many', by: 'ann' }, questionId);
  const fitting = number ? 7 : schema === undefined || schema.type === 'string' ? 'any' : undefined;
  await Promise.all(
    ['ann', 'bob'].slice(0, twice ? 2 : 1).map((by, i) => {
      const answer = (declines && i === 0) || fitting === undefined ? { decline: true } : { answer: fitting };
      return teller.tell(last, 'answer', { questionId, ...answer, by }, questionId);
    }),
  );
}

async function serve(teller: Teller, { toolUseId, ref, kind, expiresAt }: PendingService): Promise<void> {
  const { random } = teller;
  const wait = random.below(SOON);
  const how = random.pick(['data', 'data', 'data', 'large', 'error', 'broken']);
  const [wrong, twice, late] = [random.below(5) === 0, random.below(4) === 0, random.next() < 0.4];
  if (kind === 'child' || kind === 'agent') return;
  if (expiresAt !== undefined && late) await delay(2000);
  await delay(wait);
  const data =
    how === 'broken'
      ? 'three'
      : { left: random.below(100), ...(how === 'large' ? { list: 'many '.repeat(20_000) } : {}) };
  const send = (id: string) => {
    if (kind === 'signal') {
      const result = how === 'error' ? { error: 'no one is there' } : { data };
      return teller.tell('signal', 'toolResult', { toolUseId: id, ...result }, id);
    }
    const event = {
      specversion: '1.0',
      id: `${ref}/answer`,
      source: 'random',
      subject: teller.id,
      type: how === 'error' ? 'sys.com.post.count.error' : 'evt.post.count.success',
      time: '2026-01-01T00:00:00Z',
      datacontenttype: 'application/json',
      parentid: id === toolUseId ? ref : `${ref}9`,
      data: how === 'error' ? { errorName: 'Lost', errorMessage: 'by the post', errorStack: null } : data,
    };
    return teller.tell('signal', 'serviceAnswer', event, id);
  };
  if (wrong) await send(`${toolUseId}9`);
  await Promise.all([send(toolUseId), ...(twice ? [send(toolUseId)] : [])]);
}

/** A person who does things at random in a run. */
export async function talk(teller: Teller, times: number, over: AbortSignal): Promise<void> {
  for (let i = 0; i < times && !over.aborted; i++) {
    await delay(teller.random.below(2 * PACE), undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted) teller.later(() => say(teller, `${teller.id}-${i}`));
  }
}

async function say(teller: Teller, mark: string): Promise<void> {
  const { random } = teller;
  if (random.below(4) === 0) await teller.tell('signal', 'continueAsNew', {}, mark);
  const by = random.pick(['ann', 'bob']);
  const said = { text: mark, id: mark, by };
  const via = teller.via();
  const dice = random.next();
  if (dice < 0.3) return teller.tell(via, 'send', said, mark);
  if (dice < 0.38) return teller.tell(via, 'steer', said, mark);
  if (dice < 0.46) return teller.tell(via, 'steer', { ...said, when: 'now' }, mark);
  if (dice < 0.52) return teller.tell(via, 'interrupt', { by }, mark);
  if (dice < 0.6) return teller.tell(via, 'undo', { count: 1 + random.below(2), by }, mark);
  if (dice < 0.65) return teller.tell(via, 'regenerate', { by }, mark);
  if (dice < 0.7) return teller.tell(via, 'retry', { by }, mark);
  if (dice < 0.78) {
    const model = random.pick(['default', 'spare', 'other', 'narrow', 'nowhere']);
    return teller.tell(via, 'switchModel', { model, by }, mark);
  }
  if (dice < 0.85) return teller.tell(via, 'compact', { keep: 1 + random.below(4), by }, mark);
  if (dice < 0.97) {
    const raise = random.pick([
      { tokens: 80_000 },
      { toolCalls: 8 },
      { modelCalls: 9 },
      { cost: { amount: 0.3, currency: 'USD' } },
      { deadline: '20s' },
      { scope: 'exchange', toolCalls: 5 },
    ]);
    return teller.tell(via, 'raiseBudget', { ...raise, by }, mark);
  }
  return teller.tell('signal', 'toolResult', { toolUseId: `t${1 + random.below(4)}.1`, data: { left: 0 } }, mark);
}

import type { HoldfastError, ServiceEvent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { answerTo } from '../services/stage';
import { kindOf, type RandomCall } from './fifty-calls';

/** What became of messages that changed nothing, as the run counts them. */
export interface Ignored {
  StrangeAnswer: number;
  DoubleAnswer: number;
  LateAnswer: number;
}

/** The people and services around a run, which answer its calls, sometimes twice, too late or under wrong ids. */
export class Outside {
  readonly ignored: Ignored = { StrangeAnswer: 0, DoubleAnswer: 0, LateAnswer: 0 };

  constructor(
    private readonly run: RunHandle<unknown>,
    private readonly calls: readonly RandomCall[],
    private readonly eventOf: (n: number) => ServiceEvent,
  ) {}

  /** Acts on call `n`, from 1, as its kind says. */
  async act(n: number): Promise<void> {
    const { kind, stranger, double } = this.calls[n - 1] as RandomCall;
    const { outside, name } = kindOf(kind);
    switch (outside) {
      case 'answer':
      case 'error':
        if (stranger) await this.#answer(n, outside, 'StrangeAnswer');
        await this.#answer(n, outside);
        if (double) await this.#answer(n, outside, 'DoubleAnswer');
        return;
      case 'late':
        await this.#told(n, 'tool.error');
        return this.#answer(n, 'answer', 'LateAnswer');
      case 'expire':
        await this.#told(n, 'approval.expired');
        return refused(this.run.approve({ toolUseId: `t1.${n}` }, { by: 'ann' }), 'ApprovalExpired');
      case 'approve':
      case 'deny':
      case 'edit':
        if (stranger) await refused(this.run.approve({ toolUseId: `t7.${n}` }, { by: 'eve' }), 'ApprovalNotFound');
        await this.#decide(n, outside);
        if (double) await refused(this.#decide(n, 'approve'), 'ApprovalDecided');
        return;
      default:
        throw new Error(`No one outside acts on ${name}`);
    }
  }

  async #decide(n: number, decision: 'approve' | 'deny' | 'edit'): Promise<void> {
    const ask = { toolUseId: `t1.${n}` };
    const by = 'ann';
    if (decision === 'approve') await this.run.approve(ask, { by });
    else if (decision === 'deny') await this.run.deny(ask, { by, reason: `not ${n}` });
    else await this.run.edit(ask, { by, input: { mark: `${n} edited` } });
  }

  async #answer(n: number, what: 'answer' | 'error', wrong?: keyof Ignored): Promise<void> {
    const { name } = kindOf((this.calls[n - 1] as RandomCall).kind);
    if (wrong !== undefined) this.ignored[wrong]++;
    // If it were taken after all, the model would read it.
    const left = wrong === undefined ? n : 1000 + n;
    if (name !== 'post') {
      const toolUseId = wrong === 'StrangeAnswer' ? `t7.${n}` : `t1.${n}`;
      const answer = what === 'error' ? { error: `no ${n}` } : { data: { left } };
      return this.run.workflow.signal('toolResult', { toolUseId, ...answer });
    }
    const failed = { type: 'sys.com.stock.plain.error', data: { errorName: 'Error', errorMessage: `no ${n}` } };
    const event = answerTo(this.eventOf(n), what === 'error' ? failed : { data: { left } });
    const parentid = wrong === 'StrangeAnswer' ? `x/t1.${n}` : event.parentid;
    return this.run.workflow.signal('serviceAnswer', { ...event, parentid });
  }

  async #told(n: number, type: string): Promise<void> {
    for await (const fact of this.run.facts())
      if (fact.type === type && 'toolUseId' in fact && fact.toolUseId === `t1.${n}`) return;
  }
}

async function refused(deed: Promise<unknown>, type: HoldfastError['type']): Promise<void> {
  await expect(deed).rejects.toMatchObject({ name: 'HoldfastError', type });
}

import { DECISIONS } from '../../../../agent/protocol/decisions';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import type { ToolSpec } from '../../../../agent/protocol/manifest';
import type { RunInput } from '../../../../agent/protocol/run';
import type { BatchCall } from '../../../../agent/state/batch';
import type { AgentState } from '../../../../agent/state/state';
import { type StepInput, step } from '../../../../workflows/state/reduce';
import { isOpen } from '../../../../workflows/state/selectors/calls';
import { runState, toolSpec } from '../../state-data';

const contract = { uri: '#/test', version: '1.0.0', accepts: 'com.test', emits: {}, systemError: 'sys.com.test.error' };
const asked = { asks: true, onExpire: 'deny' } as const;

/** A tool of each kind that a call may wait for. */
export const TOOLS: ToolSpec[] = [
  toolSpec('put', { undo: true, serial: 'tool' }),
  toolSpec('look', { effect: 'read' }),
  toolSpec('pay', { approval: asked, serial: 'tool' }),
  toolSpec('files.move', { kind: 'mcp', mcp: { server: 'files', tool: 'move', startTimeout: 1 } }),
  toolSpec('ask_question', { kind: 'loop', loop: { does: 'ask' } }),
  ...(['signal', 'child'] as const).map((kind) =>
    toolSpec(kind, { kind: 'service', service: { kind, workflow: 'w', parentClosePolicy: 'cancel', contract } }),
  ),
  toolSpec('event', { kind: 'service', service: { kind: 'event', outlet: 'o', to: 't', contract } }),
];

/** The input of the run, which has more than its state shows. */
export const INPUT: RunInput = {
  input: { text: 'go' },
  owner: 'ann',
  metadata: { tenant: 7 },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  delegatedBy: { agent: 'test.boss', id: 'run-0', toolUseId: 't1.1', lineage: ['test.boss'] },
};

/** A run without a server. Anything may happen to it that its loop would allow. Equal states continue alike. */
export class RandomRun {
  readonly facts: Fact[] = [];
  thinking = false;

  constructor(public state: AgentState = firstState()) {}

  apply(...inputs: StepInput[]): void {
    for (const input of inputs) {
      const { state, facts } = step(this.state, input);
      for (const fact of facts) {
        this.facts.push({ ...fact, seq: this.state.facts + 1, time: 0, exchange: state.exchange });
        this.state = { ...state, facts: this.state.facts + 1 };
      }
      this.state = { ...state, facts: this.state.facts };
    }
  }

  /** Open calls, starting with the one that `pick` chooses. */
  open(pick: number): BatchCall[] {
    const open = this.state.batch.filter(isOpen);
    return open.length === 0 ? [] : [...open.slice(pick % open.length), ...open];
  }

  settle(toolUseId: string, failed = false): void {
    const error = { type: 'OutcomeUnknown' as const, message: 'gone' };
    const outcome = { content: [{ type: 'text' as const, text: 'ok' }], ...(failed ? { error } : {}) };
    this.apply({ type: 'settled', toolUseId, outcome });
    if (this.state.batch.every(({ status }) => status !== 'open')) this.apply({ type: 'batchSettled' });
  }
}

function firstState(): AgentState {
  const state = runState(TOOLS, { exchange: 0, phase: { at: 'idle' }, messages: [], opened: -1 });
  const { manifest } = state;
  if (manifest === undefined) throw new Error('no manifest');
  const run = { ...state, manifest: { ...manifest, decisions: DECISIONS, mode: 'conversation' as const } };
  return step(run, { type: 'started', given: INPUT }).state;
}

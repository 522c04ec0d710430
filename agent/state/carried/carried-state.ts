import type { AgentState } from '../state';

/**
 * What happens to each field of the state:
 * - `state`: carried unchanged, in {@link CarriedState}
 * - `part`: carried in a separate part, which has its own limit
 * - `pinned`: too large for every run of the chain; read again from the run that wrote the value
 * - `input`: follows from the input of the first run, which is read again as well
 * - `history`: about what the history of this Temporal run has, and unknown to the next one
 * - `none`: has no value in a run that can be carried
 */
const FATE = {
  version: 'none',
  id: 'state',
  agent: 'state',
  phase: 'state',
  chainId: 'state',
  input: 'input',
  owner: 'input',
  metadata: 'input',
  asksVersion: 'input',
  epoch: 'state',
  exchange: 'state',
  opened: 'state',
  idleSince: 'state',
  inbox: 'part',
  steers: 'part',
  notes: 'part',
  taken: 'state',
  closing: 'state',
  title: 'state',
  answer: 'part',
  manifest: 'pinned',
  context: 'pinned',
  pin: 'state',
  lifecycle: 'state',
  turn: 'state',
  toolInteractions: 'state',
  breakers: 'state',
  model: 'state',
  downgrades: 'state',
  chosen: 'state',
  concluding: 'state',
  rejected: 'state',
  reminder: 'state',
  repeated: 'state',
  messages: 'part',
  sent: 'state',
  asked: 'history',
  plan: 'state',
  batch: 'part',
  toolTypeCounts: 'state',
  unknownOutcomes: 'state',
  decided: 'state',
  replied: 'state',
  effects: 'part',
  trimming: 'state',
  summary: 'state',
  compaction: 'state',
  budget: 'state',
  sections: 'history',
  offered: 'state',
  grants: 'state',
  ignored: 'state',
  unknownSignals: 'state',
  delegatedBy: 'input',
  above: 'input',
  initiator: 'input',
  traceparent: 'input',
  parentSubject: 'input',
  usage: 'state',
  executionUnits: 'state',
  cost: 'state',
  otherCosts: 'state',
  unpriced: 'state',
  children: 'state',
  calls: 'state',
  budgets: 'state',
  givenBudget: 'input',
  facts: 'state',
  chain: 'state',
  continued: 'state',
} as const satisfies EachField;

type EachField = {
  readonly [Field in keyof Required<AgentState>]: 'state' | 'part' | 'pinned' | 'input' | 'history' | 'none';
};
type Fates = typeof FATE;
type CarriedField = { [Field in keyof Fates]: Fates[Field] extends 'state' ? Field : never }[keyof Fates];

/** The small fields of the state. `pin` names the manifest and the context by their hashes. */
export type CarriedState = Pick<AgentState, CarriedField> & { phase: CarriedPhase } & Required<Pick<AgentState, 'pin'>>;

/** A run is carried while it works or waits for a message. */
export type CarriedPhase = { at: 'idle' | 'working' };

/** The small fields of a state, without any others. */
export function carriedStateOf(state: CarriedState): CarriedState {
  const fates: { [field: string]: string } = FATE;
  // The table says which fields stay, and the compiler ensures that it has an entry for each.
  return Object.fromEntries(
    Object.entries(state).filter(([field]) => fates[field] === 'state'),
  ) as unknown as CarriedState;
}

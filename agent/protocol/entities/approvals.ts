/** Type, id and messages of the workflow that holds the remembered decisions of an agent. */
export const APPROVALS = {
  type: 'holdfast.approvals',
  /** Every worker polls it in addition to its own: the workflow outlives the task queue of the run that started it. */
  taskQueue: 'holdfast.entities',
  idOf: (agent: string) => `holdfast.approvals/${agent}`,
  set: 'setBatched',
  get: 'getBatched',
  list: 'list',
  revoke: 'revoke',
} as const;

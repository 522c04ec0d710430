/** Names of the commands that a run takes, as updates, which are answered, and as signals, which are not. */
export const COMMAND = {
  approve: 'approve',
  deny: 'deny',
  edit: 'edit',
  send: 'send',
  steer: 'steer',
  answer: 'answer',
  interrupt: 'interrupt',
  retry: 'retry',
  switchModel: 'switchModel',
  compact: 'compact',
  raiseBudget: 'raiseBudget',
  regenerate: 'regenerate',
  undo: 'undo',
  rename: 'rename',
  close: 'close',
  /** Signal only: `{toolUseId, data | error}`. */
  toolResult: 'toolResult',
  /** Signal only: the run goes on in a new history as soon as it can, on the current version of its workers. */
  continueAsNew: 'continueAsNew',
  /** Signal only: the event that answers a service call. */
  serviceAnswer: 'serviceAnswer',
} as const;

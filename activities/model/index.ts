export { createCallModel } from './call-model';
export { createCheckModel } from './check-model';
export { CircuitBreaker } from './circuit/breaker';
export { createCompact } from './compaction/compact';
export { createCountMessage } from './count-message';
export { createLeases } from './leases/leases';
export { createTellRun } from './usage/tell-run';
export { wakeCall } from './wake-call';

export { createCallModel } from './call-model';
export { createCheckModel } from './check-model';
export { CircuitBreaker } from './circuit/breaker';
export { createLeases } from './leases/leases';

export { createCallModel } from './call-model';
export { createLeases } from './leases/leases';

import { setWorkflowOptions } from '@temporalio/workflow';
import { agentWorkflow } from './agent-workflow';
import { approvalCache } from './approvals-entity/approvals-entity';
import { archive } from './archive-entity/archive-entity';
import { leases } from './leases-entity/leases-entity';

// A plain Error would retry the workflow task forever. The worker-wide option is not used: it also fails runs on
// nondeterminism.
setWorkflowOptions({ failureExceptionTypes: [Error] }, agentWorkflow);
setWorkflowOptions({ failureExceptionTypes: [Error] }, archive);

// The SDK takes a stack trace of each promise, by far the most expensive part of a turn here, and its hook is two frames
// of it. Node's limit of 10 makes a replay a tenth slower.
Error.stackTraceLimit = 6;

// No agent can have these workflow types as its name. Every other type is an agent's and goes to the default.
export { approvalCache as 'holdfast.approvals', archive as 'holdfast.archive', leases as 'holdfast.leases' };

export default agentWorkflow;

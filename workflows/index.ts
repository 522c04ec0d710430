import { setWorkflowOptions } from '@temporalio/workflow';
import { agentWorkflow } from './agent-workflow';
import { approvalCache } from './approvals-entity/approvals-entity';

// A plain Error would retry the workflow task for ever. Not the worker-wide option: that also fails runs on nondeterminism.
setWorkflowOptions({ failureExceptionTypes: [Error] }, agentWorkflow);

// A type of its own, which no agent's name can be: every other type is an agent's and goes to the default.
export { approvalCache as 'holdfast.approvals' };

export default agentWorkflow;

import { setWorkflowOptions } from '@temporalio/workflow';
import { agentWorkflow } from './agent-workflow';

// A plain Error would retry the workflow task for ever. Not the worker-wide option: that also fails runs on nondeterminism.
setWorkflowOptions({ failureExceptionTypes: [Error] }, agentWorkflow);

export default agentWorkflow;

/**
 * In debug mode the SDK makes a sandbox for each worker: it reads the bundle and its source map, loads all modules, and the
 * engine compiles again what is called often. A test file has two or three workers. The workers of a process that have the
 * same bundle share one here, as the runs of a worker do: no module has state (lint/module-state.grit), and the SDK freezes
 * what is shared.
 */
exports.shareSandboxes = function shareSandboxes({ Worker }) {
  if (Worker.getOrCreateBundle.isShared) return;
  const { ReusableVMWorkflowCreator } = require('@temporalio/worker/lib/workflow/reusable-vm');
  const parsed = new Map();
  const { getOrCreateBundle } = Worker;
  Worker.getOrCreateBundle = function parse(options, logger) {
    const { codePath } = options.workflowBundle ?? {};
    if (codePath === undefined) return getOrCreateBundle.call(this, options, logger);
    if (!parsed.has(codePath)) parsed.set(codePath, getOrCreateBundle.call(this, options, logger));
    return parsed.get(codePath);
  };
  Worker.getOrCreateBundle.isShared = true;

  const sandboxes = new WeakMap();
  const { create } = ReusableVMWorkflowCreator;
  ReusableVMWorkflowCreator.create = async function share(bundle, timeout, activityNames, patchActivationCallback) {
    if (!sandboxes.has(bundle)) sandboxes.set(bundle, create.call(this, bundle, timeout, activityNames));
    const of = { isolateExecutionTimeoutMs: timeout, registeredActivityNames: activityNames, patchActivationCallback };
    // It stays for the next worker.
    return Object.assign(Object.create(await sandboxes.get(bundle)), of, { destroy: async () => undefined });
  };
};

import { CancellationScope } from '@temporalio/workflow';

/** The scope of the whole workflow: what is kept for one workflow in a module that all of them share is keyed by it. */
export function rootScope(): CancellationScope {
  let scope = CancellationScope.current();
  for (let parent = scope.parent; parent !== undefined; parent = scope.parent) scope = parent;
  return scope;
}

const CHANGED = Symbol.for('holdfast.changed');

/**
 * Changes an object of the SDK once for the process: several copies of Holdfast, which share the SDK, would wrap each
 * other's changes.
 */
export function changeOnce(owner: object, change: () => void): void {
  if (Object.hasOwn(owner, CHANGED)) return;
  change();
  Object.defineProperty(owner, CHANGED, { value: true });
}

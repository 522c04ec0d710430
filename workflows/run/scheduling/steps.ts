/**
 * Work that waits for promises, as an `async` function does. But functions that call each other by `yield*` make no
 * promise, only each wait makes one: the SDK takes a stack trace of every promise of a workflow, also on replay.
 */
export type Steps<Result> = Generator<PromiseLike<unknown>, Result, unknown>;

/** Waits for a promise: `yield* until(promise)` is what `await promise` is in an `async` function. */
export function* until<Result>(promise: PromiseLike<Result>): Steps<Result> {
  return (yield promise) as Result;
}

/** Takes the steps, the first ones at once. */
export function runSteps<Result>(steps: Steps<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const go = (next: () => IteratorResult<PromiseLike<unknown>, Result>): void => {
      try {
        const step = next();
        if (step.done === true) resolve(step.value);
        else step.value.then(succeeded, failed);
      } catch (error) {
        reject(error);
      }
    };
    const succeeded = (value: unknown) => go(() => steps.next(value));
    const failed = (error: unknown) => go(() => steps.throw(error));
    go(() => steps.next());
  });
}

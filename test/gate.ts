/** Blocks callers that wait for `opened` until `open` is called. */
export interface Gate {
  open(): void;
  readonly opened: Promise<void>;
}

export function newGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

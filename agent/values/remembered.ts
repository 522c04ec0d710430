/** `make`, with its result for each object kept as long as the object. For objects that do not change. */
export function remembered<Of extends object, Made extends NonNullable<unknown>>(
  make: (of: Of) => Made,
): (of: Of) => Made {
  const made = new WeakMap<Of, Made>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const result = make(of);
    made.set(of, result);
    return result;
  };
}

/** `make`, with its result for each object kept as long as the object. For objects that do not change. */
export function remembered<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, { is: Made }>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined) return known.is;
    const is = make(of);
    made.set(of, { is });
    return is;
  };
}

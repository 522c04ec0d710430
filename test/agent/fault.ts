import { HoldfastError } from 'holdfast';

/** The message of the `InvalidDefinition` that `make` throws: one line. */
export function fault(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(HoldfastError);
    expect((error as HoldfastError).type).toBe('InvalidDefinition');
    expect((error as HoldfastError).message).not.toContain('\n');
    return (error as HoldfastError).message;
  }
  throw new Error('expected a fault');
}

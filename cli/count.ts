import { InvalidArgumentError } from 'commander';

/** Parses the value of an option that is a whole number from `least` on. */
export function count(least: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < least) {
      throw new InvalidArgumentError(`Expected a whole number from ${least}.`);
    }
    return value;
  };
}

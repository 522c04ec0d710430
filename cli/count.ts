import { InvalidArgumentError } from 'commander';

/** Parses the value of an option that is a whole number from `least` on. `otherwise`: what else it may be. */
export function count(least: number, otherwise = '') {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < least) {
      throw new InvalidArgumentError(`Expected a whole number from ${least}${otherwise}.`);
    }
    return value;
  };
}

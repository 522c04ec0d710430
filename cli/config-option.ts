/** The option that every command has. */
export const CONFIG = [
  '--config <file>',
  'temporal.yaml to use (default: HOLDFAST_CONFIG, then here and in the folders above)',
] as const;

/** The option of commands that also work at the address of `holdfast serve`. */
export const URL_OPTION = [
  '--url <url>',
  'address of `holdfast serve` to use in place of Temporal (default: HOLDFAST_URL); HOLDFAST_TOKEN is the key or token',
] as const;

/** The option that every command has. */
export const CONFIG = [
  '--config <file>',
  'temporal.yaml to use (default: HOLDFAST_CONFIG, then here and in the folders above)',
] as const;

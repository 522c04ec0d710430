/** How names of tools are repaired. */
export interface RepairNames {
  /** Other names of tools. The values are canonical names. */
  aliases?: { [alias: string]: string };
}

/** How a name was repaired, and what the model wrote. */
export interface NameRepair {
  from: string;
  how: 'unprefixed' | 'alias' | 'similar';
}

/** How many reports there are. */
export const DOCUMENTS = 200;

const SENTENCE =
  'Pollen traps were emptied on the first Monday of each month, and the counts were entered by two people who did not compare notes. ';
/** About 20 KB each. */
const SENTENCES = 150;

/** The share of its trees that a site lost, in percent: the same in each run of the example. */
export function lossOf(site: number): number {
  return (site * 7919) % 97;
}

/** A report on one site. The figure that matters is in its first lines. */
export function reportOn(site: number): string {
  return `Report ${site}\nSite ${site} lost ${lossOf(site)} % of its trees.\n\n${SENTENCE.repeat(SENTENCES)}`;
}

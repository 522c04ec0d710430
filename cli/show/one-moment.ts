/** Readings of a run that goes on during each of them, after which the last one is shown. */
const READINGS = 8;

/** What several requests told, and whether it changed during the last of them. */
interface Moment<Mark, Read> {
  mark: Mark;
  read: Read;
  changing: boolean;
}

/** How to tell that nothing happened between two requests. */
interface Marking<Mark> {
  /** A first look, before anything is read. */
  first: Mark;
  look(): Promise<Mark>;
  isSame(before: Mark, after: Mark): boolean;
}

/** Reads by several requests what is true at one moment: it reads again where something happened in between. */
export async function atOneMoment<Mark, Read>(
  { first, look, isSame }: Marking<Mark>,
  read: () => Promise<Read>,
): Promise<Moment<Mark, Read>> {
  let before = first;
  for (let readings = 1; ; readings += 1) {
    const found = await read();
    const mark = await look();
    const changing = !isSame(before, mark);
    if (!changing || readings === READINGS) return { mark, read: found, changing };
    before = mark;
  }
}

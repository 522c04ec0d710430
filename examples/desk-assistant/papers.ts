/** A file that the model has read. */
export interface Paper {
  file: string;
  title: string;
  /** As `2026-03-12`. */
  date: string;
  text: string;
}

/** The files in a result of `read_multiple_files`. Files without title and date are left out. */
export function papersIn(result: string): Paper[] {
  return result.split('\n---\n').flatMap((block) => {
    const [head = '', title = '', day = '', ...rest] = block.trim().split('\n');
    const date = new Date(`${day} UTC`);
    if (Number.isNaN(date.getTime())) return [];
    return { file: head.replace(/:$/, ''), title, date: date.toISOString().slice(0, 10), text: rest.join(' ') };
  });
}

/** The new name of a paper: with the date before or after the subject. */
export function nameOf({ title, date }: Paper, form: string): string {
  return form.startsWith('date') ? `${date} ${title}.txt` : `${title} ${date}.txt`;
}

/** Files of a listing that have no date in their names yet. */
export function unnamedIn(listing: string): string[] {
  return listing
    .split('\n')
    .flatMap((entry) => (entry.startsWith('[FILE] ') ? [entry.slice('[FILE] '.length)] : []))
    .filter((name) => !/\d{4}-\d\d-\d\d/.test(name))
    .sort();
}

/** The turn message of an agent, as its runs pin it: its sections in order. */
export interface PromptSpec {
  sections: SectionSpec[];
  /** Milliseconds that a function may take. */
  timeout: number;
  /** Characters of one section. */
  maxChars: number;
}

/** A section whose text is pinned, or that a function or Holdfast itself makes for each call. */
export type SectionSpec = {
  name: string;
  /** It comes after the user input. */
  after?: true;
} & ({ from: 'text'; text: string } | { from: 'function' | 'default' });

/** A skill, as a run has pinned it. */
export interface SkillSpec {
  /** Its name for the model. */
  name: string;
  /** When to use it. */
  description: string;
  /** Its folder, relative to the root of the skills. */
  folder: string;
}

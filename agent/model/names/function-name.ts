/** What a model's function is called that has no name. It identifies what the model's answers keep for it. */
export const UNNAMED = 'a function';

/** The function of a model in a sentence: a place of a server would be wrong, since a function is at none. */
export function functionText(name: string): string {
  return name === UNNAMED ? UNNAMED : `the function \`${name}\``;
}

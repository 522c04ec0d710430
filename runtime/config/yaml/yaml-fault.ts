/** What is wrong with the form of a YAML file, and where. */
export interface YamlFault {
  offset: number;
  problem: string;
}

/** `apiKey:abc` is one text for YAML. That of a URL is one for its writer, too. */
export const SPACELESS = /^[A-Za-z_][\w.-]*:(?!\/\/)[^\s:]/;

export const SPACE_FOLLOWS = 'A space follows the colon, as in `name: value`';
export const BRACES = `A text with \`{\` needs quotes: write \`"\${NAME}"\` for a variable`;
export const NO_TAGS = `A text that begins with \`!\` needs quotes; write \`"\${NAME}"\` for a variable`;

/** What is said of a text whose first character means something else. */
export function needsQuotes(first: string): string {
  return `A text that begins with ${first === '`' ? 'a backtick' : `\`${first}\``} needs quotes`;
}

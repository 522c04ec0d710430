/** What runs write, all keywords: "who waits for a person?" is then one query over all runs. */
export const SEARCH_ATTRIBUTES = [
  'HoldfastAgent',
  'HoldfastStatus',
  'HoldfastAwaiting',
  'HoldfastOwner',
  'HoldfastParent',
] as const;

/** The command that makes runs findable by what they wait for, and for whom they work. */
export function registerAttributesCommand(namespace: string): string {
  const names = SEARCH_ATTRIBUTES.map((name) => `--name ${name} --type Keyword`).join(' ');
  return `temporal operator search-attribute create --namespace ${namespace} ${names}`;
}

/** The search attributes that runs write, all keywords. One query then finds all runs that wait for a person. */
export const SEARCH_ATTRIBUTES = [
  'HoldfastAgent',
  'HoldfastStatus',
  'HoldfastAwaiting',
  'HoldfastOwner',
  'HoldfastParent',
] as const;

/** The command that registers the attributes, so that runs can be found by owner and by what they wait for. */
export function registerAttributesCommand(namespace: string): string {
  const names = SEARCH_ATTRIBUTES.map((name) => `--name ${name} --type Keyword`).join(' ');
  return `temporal operator search-attribute create --namespace ${namespace} ${names}`;
}

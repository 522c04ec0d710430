import { SEARCH_ATTRIBUTES } from '../workers/search-attributes';

/** The command that makes runs findable by what they wait for. */
export function registerAttributesCommand(namespace: string): string {
  const names = SEARCH_ATTRIBUTES.map((name) => `--name ${name} --type Keyword`).join(' ');
  return `temporal operator search-attribute create --namespace ${namespace} ${names}`;
}

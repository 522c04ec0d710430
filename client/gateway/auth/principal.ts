/** What a caller may do. `admin` has all others, over all runs of its tenant. */
export const SCOPES = ['start', 'read', 'message', 'decide', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who makes a request, as its key or token says. */
export interface Principal {
  /** A name for people: histories and the audit log have it. */
  readonly user: string;
  /** Whose runs these are. Missing: the person at this machine, who sees all runs of the namespace. */
  readonly tenant?: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Roles that decide who may approve, without `role:`. */
  readonly roles: readonly string[];
  /** Names what the request was authenticated with: limits count by it. It is not a secret. */
  readonly credential: string;
}

/** Text of a tenant: ids of runs begin with it, so it has no colon. */
export const TENANT = /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/;

/** The tenant of runs that the person at this machine starts. */
export const LOCAL_TENANT = 'local';

/** A user's name as histories keep it: short, visible, and never that of a role. */
export function isUserName(name: unknown): name is string {
  return typeof name === 'string' && /^(?!role:)[^\p{C}]{1,200}$/u.test(name) && name.trim() === name;
}

export function has({ scopes }: Principal, scope: Scope): boolean {
  return scopes.has(scope) || scopes.has('admin');
}

/** Who a run belongs to, as its own input says. It names the tenant too: users of two tenants may have one name. */
export function ownerOf({ tenant = LOCAL_TENANT, user }: Pick<Principal, 'tenant' | 'user'>): string {
  return `${tenant}:${user}`;
}

import { defined } from '../values/defined';
import { type Grant, type GrantsToRevoke, grantFor, type OwnedGrant } from './approval';
import { BoundedMap } from './bounded-map';

/** Increased when the shape of {@link GrantBookState} changes. */
const VERSION = 1;

/** The remembered decisions of an agent: what continue-as-new carries. */
export interface GrantBookState {
  /** Version of this shape. */
  version: typeof VERSION;
  /** The oldest first. */
  grants: OwnedGrant[];
  /** What was revoked, with the time of the decision, so that a decision delivered again is recognised. */
  revoked: Revoked[];
}

type Revoked = Pick<OwnedGrant, 'owner' | 'tool' | 'key' | 'at'>;

const KB = 1024;
/** How many decisions are kept. */
const MAX_GRANTS = 10_000;
/** Both travel as one payload, which may have 2 MiB, and an encrypting codec needs room. */
const MAX = {
  grants: { entries: MAX_GRANTS, bytes: 1280 * KB },
  revoked: { entries: 1000, bytes: 256 * KB },
} as const;

/** Not a `HoldfastError`: the workflow task is retried until a worker that knows the version takes it. */
export class UnknownBook extends Error {
  constructor(version: unknown) {
    super(
      `The remembered decisions are of version ${JSON.stringify(version)}, and this worker knows version ${VERSION} only: they wait for a worker with a newer version of holdfast.`,
    );
  }
}

/** Decisions of people that apply to all runs of an agent, by owner, tool and key. */
export class GrantBook {
  readonly #grants = new BoundedMap<OwnedGrant>(MAX.grants);
  readonly #revoked = new BoundedMap<Revoked>(MAX.revoked);

  /** @throws UnknownBook if a newer version of this package wrote it */
  constructor(carried?: GrantBookState) {
    if (carried === undefined) return;
    const { version, grants, revoked } = carried;
    if (version !== VERSION) throw new UnknownBook(version);
    for (const grant of grants) this.#grants.set(idOf(grant.owner, grant.tool, grant.key), grant);
    for (const one of revoked) this.#revoked.set(idOf(one.owner, one.tool, one.key), one);
  }

  get size(): number {
    return this.#grants.size;
  }

  /**
   * Takes decisions and returns how many of them changed something. Of two decisions on the same owner, tool and key
   * the later one wins, whichever arrives first; of two with the same time the denial wins. A revoked decision stays
   * revoked when an activity delivers it again; a person may make a new one.
   */
  set(owner: string | undefined, grants: readonly Grant[]): number {
    const taken = grants.filter((grant) => {
      const id = idOf(owner, grant.tool, grant.key);
      if (grant.at <= (this.#revoked.get(id)?.at ?? -Infinity)) return false;
      const known = this.#grants.get(id);
      if (known !== undefined && !replaces(grant, known)) return false;
      this.#grants.set(id, owner === undefined ? grant : { ...grant, owner });
      return true;
    });
    return taken.length;
  }

  /** The decision that applies to a call. A denial wins over a grant. */
  find(owner: string | undefined, tool: string, key: string): Grant | null {
    const fitting = [key, ''].map((one) => this.#grants.get(idOf(owner, tool, one))).filter((one) => one !== undefined);
    const found = grantFor(fitting, tool, key);
    if (found === undefined) return null;
    const { owner: _owner, ...grant } = found;
    return grant;
  }

  /** All decisions, the oldest first. */
  list(): OwnedGrant[] {
    return this.#grants.values();
  }

  /** Forgets decisions and returns how many there were. */
  revoke({ owner, tool, key }: GrantsToRevoke): number {
    const gone = this.list().filter(
      (one) => one.owner === owner && one.tool === tool && (key === undefined || one.key === key),
    );
    for (const one of gone) {
      const id = idOf(owner, tool, one.key);
      const { at } = one;
      this.#grants.delete(id);
      this.#revoked.set(id, { tool, key: one.key, at, ...defined({ owner }) });
    }
    return gone.length;
  }

  state(): GrantBookState {
    return { version: VERSION, grants: this.list(), revoked: this.#revoked.values() };
  }
}

function replaces(grant: Grant, known: Grant): boolean {
  return grant.at > known.at || (grant.at === known.at && known.allowed && !grant.allowed);
}

/** A missing owner counts as a separate owner and differs from one whose name is empty. */
function idOf(owner: string | undefined, tool: string, key: string): string {
  return JSON.stringify([owner ?? null, tool, key]);
}

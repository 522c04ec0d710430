import { ExternalStorage, type StorageDriver } from '@temporalio/common';
import { refused, type User } from './refusal';
import './quick-runner';

/** A storage that also answers for drivers which it does not have: anyone may send a reference to one. */
export class PayloadStorage extends ExternalStorage {
  readonly #user: User;

  constructor(user: User, options: ConstructorParameters<typeof ExternalStorage>[0]) {
    super(options);
    this.#user = user;
  }

  override getDriver(name: string): StorageDriver {
    return super.getDriver(name) ?? new NoDriver(name, this.#user);
  }
}

/** For processes without a storage. */
export function noStorage(user: User): ExternalStorage {
  return new PayloadStorage(user, { drivers: [new NoDriver('holdfast.none', user)], driverSelector: () => null });
}

const ELSEWHERE = 'it is in a storage that this process does not have; set the storage of its writer in temporal.yaml';

/** Reads nothing: for references to a storage that this process does not have. */
class NoDriver implements StorageDriver {
  readonly type = 'holdfast.none';

  constructor(
    readonly name: string,
    private readonly user: User,
  ) {}

  store(): Promise<never> {
    return Promise.reject(new Error(`There is no storage \`${this.name}\``));
  }

  async retrieve(_: unknown, claims: readonly unknown[]): ReturnType<StorageDriver['retrieve']> {
    return claims.map(() => refused(this.user, ELSEWHERE));
  }
}

/** Where a setting comes from: a `TEMPORAL_*` variable, a profile of temporal.toml, or temporal.yaml. */
export type SettingSource = 'environment' | 'profile' | 'file';

/** How a connection to a Temporal server was tried. */
export interface TriedServer {
  address: string;
  /** Missing for the default address. */
  addressFrom?: SettingSource;
  /** Whether it was tried with TLS. */
  tls: boolean;
  /** Where TLS is switched on or off. `apiKey`: on, since there is an API key. Missing for the default, off. */
  tlsFrom?: SettingSource | 'apiKey';
  /** Missing without an API key. */
  apiKeyFrom?: SettingSource;
  /** The temporal.yaml, if there is one. */
  file?: string;
}

/**
 * Why no connection was made. `http`: an HTTP server has the port. `gateway`: that of `holdfast serve`. `expired`, `untrusted`
 * and `otherName`: the certificate of the server. `wantsCertificate` and `refusedCertificate`: that of the client.
 */
export type ServerFault =
  | 'unknownHost'
  | 'refused'
  | 'unreachable'
  | 'silent'
  | 'wantsTls'
  | 'noTls'
  | 'http'
  | 'gateway'
  | 'otherProtocol'
  | 'expired'
  | 'untrusted'
  | 'otherName'
  | 'wantsCertificate'
  | 'refusedCertificate';

import type { ErrorData } from './error-data';
import type { ServerFault, SettingSource, TriedServer } from './tried-server';

/** What was tried, what went wrong, and what to do. */
export function noServerText({ address, problem, fault, tried }: ErrorData['NoServer']): string {
  if (tried === undefined) {
    const at = address === undefined ? '' : ` at ${address}`;
    return `No Temporal server answers${at}${said(problem)}. Start one with \`holdfast dev\`, or set \`temporal.address\` in temporal.yaml or TEMPORAL_ADDRESS.`;
  }
  const { wrong, todo } = EXPLAINED[fault ?? 'silent'](tried);
  const what = fault === undefined ? problem : wrong;
  // Our own words for a refused connection say the same.
  const words = fault === undefined || what.includes(problem) ? '' : said(problem);
  return `No Temporal server answers at ${placeOf(tried)}: ${what}${words}. ${todo}.`;
}

/** A server that refused the first call of a connection: most likely its API key. */
export function refusedConnectionText(
  { status, problem }: ErrorData['ServerRefused'],
  { tried }: { tried: TriedServer },
): string {
  const { apiKeyFrom } = tried;
  const todo =
    apiKeyFrom === undefined
      ? `It was given no API key: set ${setting(tried, 'apiKey')}, if it wants one`
      : `Check the API key, which ${from(tried, 'apiKey', apiKeyFrom)} gives, and that it is one for this server and its namespace`;
  return `The Temporal server at ${placeOf(tried)} refused the connection with ${status}${said(problem)}. ${todo}.`;
}

const said = (problem: string) => (problem === '' ? '' : ` (${problem})`);

type Field = 'address' | 'tls' | 'apiKey' | 'cert' | 'serverCa' | 'serverName';

const VARIABLE: { readonly [F in Field]: string } = {
  address: 'TEMPORAL_ADDRESS',
  tls: 'TEMPORAL_TLS',
  apiKey: 'TEMPORAL_API_KEY',
  cert: 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH',
  serverCa: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  serverName: 'TEMPORAL_TLS_SERVER_NAME',
};
const IN_FILE: { readonly [F in Field]: string } = {
  address: '`temporal.address`',
  tls: '`temporal.tls`',
  apiKey: '`temporal.apiKey`',
  cert: '`temporal.tls.cert` and `temporal.tls.key`',
  serverCa: '`temporal.tls.serverCa`',
  serverName: '`temporal.tls.serverName`',
};

const fileOf = ({ file = 'temporal.yaml' }: TriedServer) => file;

/** Who gives a setting. */
function from(tried: TriedServer, field: Field, source: SettingSource): string {
  if (source === 'file') return `${IN_FILE[field]} in ${fileOf(tried)}`;
  return source === 'environment' ? VARIABLE[field] : 'the profile of temporal.toml';
}

/** Where to write a setting. */
function setting(tried: TriedServer, field: Field): string {
  return `${IN_FILE[field]} in ${fileOf(tried)}, or ${VARIABLE[field]}`;
}

/** The address, where it comes from, and whether TLS is used. */
function placeOf(tried: TriedServer): string {
  const { address, addressFrom, tls, tlsFrom } = tried;
  const origin = addressFrom === undefined ? 'the default address' : `from ${from(tried, 'address', addressFrom)}`;
  const why = tlsFrom === 'apiKey' ? ', because there is an API key' : '';
  const switchedBy = tlsFrom === undefined || tlsFrom === 'apiKey' ? why : `, by ${from(tried, 'tls', tlsFrom)}`;
  return `${address} (${origin}; ${tls ? 'with' : 'without'} TLS${switchedBy})`;
}

function correctAddress(tried: TriedServer): string {
  const { addressFrom } = tried;
  return addressFrom === undefined
    ? `set ${setting(tried, 'address')}`
    : `correct ${from(tried, 'address', addressFrom)}`;
}

function switchOff(tried: TriedServer): string {
  const { tlsFrom, apiKeyFrom } = tried;
  if (tlsFrom === 'apiKey' && apiKeyFrom !== undefined) {
    const key = from(tried, 'apiKey', apiKeyFrom);
    return `Remove the API key, which ${key} gives, if the server needs none; with a key, TLS is off only with \`tls: false\` under \`temporal\` in ${fileOf(tried)}, or TEMPORAL_TLS=false`;
  }
  if (tlsFrom === 'environment') return 'Remove the TEMPORAL_TLS* variables, or set TEMPORAL_TLS=false';
  if (tlsFrom === 'profile') return 'Switch TLS off in the profile of temporal.toml, or set TEMPORAL_TLS=false';
  return `Switch TLS off, with \`tls: false\` under \`temporal\` in ${fileOf(tried)}`;
}

interface Explanation {
  wrong: string;
  todo: string;
}

const EXPLAINED: { readonly [F in ServerFault]: (tried: TriedServer) => Explanation } = {
  unknownHost: (tried) => ({
    wrong: 'there is no host of this name',
    todo: `Check the spelling and the network, and ${correctAddress(tried)}`,
  }),
  refused: (tried) => ({
    wrong: 'connection refused, nothing listens on this port',
    todo: `Start one with \`holdfast dev\`, or ${correctAddress(tried)}`,
  }),
  unreachable: (tried) => ({
    wrong: 'the host cannot be reached',
    todo: `Check the network and firewalls, and ${correctAddress(tried)}`,
  }),
  silent: (tried) => ({
    wrong: 'it accepts connections, and answers nothing',
    todo: `Check that a Temporal server has this port and is up, or ${correctAddress(tried)}`,
  }),
  wantsTls: ({ file = 'temporal.yaml', tlsFrom }) => ({
    wrong: 'the server there speaks TLS only',
    todo:
      tlsFrom === 'environment'
        ? 'Set TEMPORAL_TLS=true'
        : `Switch TLS on, with \`tls: true\` under \`temporal\` in ${file}, or TEMPORAL_TLS=true`,
  }),
  noTls: (tried) => ({ wrong: 'the server there speaks no TLS', todo: switchOff(tried) }),
  http: (tried) => ({
    wrong: 'an HTTP server answers there',
    todo: `Temporal's own port is usually 7233, that of its Web UI 8233: ${correctAddress(tried)}`,
  }),
  gateway: (tried) => ({
    wrong: 'the HTTP server of Holdfast answers there',
    todo: `Use it with \`--url\`, or HOLDFAST_URL and HOLDFAST_TOKEN, or for Temporal itself ${correctAddress(tried)}`,
  }),
  otherProtocol: (tried) => ({
    wrong: 'what answers there is another kind of server',
    todo: `Temporal's own port is usually 7233: ${correctAddress(tried)}`,
  }),
  expired: () => ({
    wrong: 'the certificate of the server is not valid now',
    todo: 'Renew the certificate of the server, and check the clock of this machine',
  }),
  untrusted: (tried) => ({
    wrong: 'the certificate of the server is not trusted here',
    todo: `If it is the right server, name the file of its certificate, or of the authority that signed it, as ${setting(tried, 'serverCa')}`,
  }),
  otherName: (tried) => ({
    wrong: 'the certificate of the server is for another name',
    todo: `If it is the right server, give a name of the certificate as ${setting(tried, 'serverName')}, or ${correctAddress(tried)}`,
  }),
  wantsCertificate: (tried) => ({
    wrong: 'the server wants a certificate of the client, and there is none',
    todo: `Name its files as ${setting(tried, 'cert')}`,
  }),
  refusedCertificate: (tried) => ({
    wrong: 'the server refuses the certificate of the client',
    todo: `Check that it is valid and of an authority that the server knows: ${setting(tried, 'cert')}`,
  }),
};

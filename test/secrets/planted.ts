/** Secrets that look like nothing else. The last one is a file's worth of lines, like keys of certificates. */
export const SECRETS = {
  MODEL_KEY: 'PLANTED-model-key-7c1e55d09a',
  GATEWAY_KEY: 'PLANTED-gateway-header-41b07e2f',
  URL_PASSWORD: 'PLANTED-url-password-9d03aa61',
  MCP_KEY: 'PLANTED-mcp-environment-5f8821ce',
  MCP_ARGUMENT: 'PLANTED-mcp-argument-c60d17b4',
  MCP_TOKEN: 'PLANTED-mcp-http-token-e2994b70',
  MCP_PRIVATE_KEY: [
    '-----BEGIN PRIVATE KEY-----',
    'PLANTEDmultilineMIIEvQIBADANBgkqhkiG9w0BAQ',
    'PLANTEDsecondlineFAASCBKcwggSjAgEAAoIBAQC7',
    '-----END PRIVATE KEY-----',
  ].join('\n'),
} as const;

/** Characters of a secret that reveal it. */
const WINDOW = 16;

/** The parts of the secrets that are in a text: any piece of some length. */
export function leaksIn(text: string): string[] {
  return Object.values(SECRETS)
    .flatMap((secret) => secret.split('\n').filter((line) => !line.startsWith('---')))
    .filter((line) => piecesOf(line).some((piece) => text.includes(piece)));
}

function piecesOf(secret: string): string[] {
  return Array.from({ length: secret.length - WINDOW + 1 }, (_, i) => secret.slice(i, i + WINDOW));
}

/** A Temporal message as one text: payloads are bytes, which JSON would hide as base64. */
export function readable(message: unknown): string {
  return JSON.stringify(message, (key, value: unknown) => {
    if (key === 'data' && typeof value === 'string') return `${value} ${Buffer.from(value, 'base64').toString('utf8')}`;
    if (isBuffer(value)) return Buffer.from(value.data).toString('utf8');
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** The form that `toJSON` of a buffer returns. */
function isBuffer(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConfig } from '../../../cli/doctor/checks';
import type { Finding } from '../../../cli/doctor/finding';
import { newFolder } from '../../activities/mcp/servers';
import { closeAfterTest } from '../../close-after-test';
import { CLIENT, oauthServer } from '../../fixtures/mcp/oauth-server';

async function findingOf(server: object): Promise<Finding | undefined> {
  const path = join(newFolder(), 'temporal.yaml');
  writeFileSync(path, JSON.stringify({ mcp: { crm: server } }));
  const findings: Finding[] = [];
  await checkConfig((finding) => findings.push(finding), path);
  expect(JSON.stringify(findings)).not.toMatch(/s3cret/);
  return findings.find(({ what }) => what === 'mcp crm');
}

test('gets a token for a server with `auth`, and says why it gets none', async () => {
  const { url, issuer } = closeAfterTest(await oauthServer());
  const auth = { ...CLIENT, issuer };
  expect(await findingOf({ url, auth })).toEqual({
    state: 'ok',
    what: 'mcp crm',
    found: `${url}, answers, and \`holdfast\` gets a token`,
  });
  expect(await findingOf({ url, auth: { ...auth, clientSecret: 'wr0ng-s3cret' } })).toEqual({
    state: 'missing',
    what: 'mcp crm',
    found: `${url}: its authorization server ${issuer} refused the client \`holdfast\` (invalid_client: no such client, or not ***)`,
    todo: 'correct `auth.clientId` and `auth.clientSecret`',
  });
});

test('names what a server wants that is sent no credentials', async () => {
  const { url } = closeAfterTest(await oauthServer());
  expect(await findingOf({ url })).toEqual({
    state: 'missing',
    what: 'mcp crm',
    found: `${url} wants credentials (HTTP 401)`,
    todo: 'set `auth` with a client of its authorization server, or a token in `headers`',
  });
  expect(await findingOf({ url, headers: { Authorization: 'Bearer my-s3cret' } })).toMatchObject({ state: 'ok' });
});

import { YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();

it('reads which services a webhook answers', async () => {
  const source =
    'gateway: {webhooks: {bank: {secret: a-long-enough-secret, services: [bank.pay, com.bank.confirm]}}}\n';
  expect((await yaml.load(source)).gateway?.webhooks).toEqual({
    bank: { secret: 'a-long-enough-secret', services: ['bank.pay', 'com.bank.confirm'] },
  });
});

const AT = 'gateway.webhooks.bank.services';
it.each([
  ['a text in place of the list', 'bank.pay', `\`${AT}\`: Expected a list of types of contracts, got a string`],
  ['an empty list', '[]', `\`${AT}\`: Expected at least one type of a contract`],
  ['what no contract is named', '["bank.*"]', `\`${AT}.0\`: Expected the type of a contract, such as \`stock.check\``],
])('refuses %s', async (_, services, problem) => {
  const source = `gateway: {webhooks: {bank: {secret: a-long-enough-secret, services: ${services}}}}\n`;
  expect(await yaml.wrong(source)).toContain(problem);
});

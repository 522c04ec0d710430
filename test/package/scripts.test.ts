import manifest from '../../package.json';

it('has no script that runs when a user installs the package: npm 11 asks about each', () => {
  const asked = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(Object.keys(manifest.scripts).filter((name) => asked.includes(name))).toEqual([]);
});

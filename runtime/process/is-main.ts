/** Whether Node was asked to run `module`. TypeScript sources are run by jiti, and then `require.main` is not set. */
export function isMain(module: NodeModule): boolean {
  return require.main === module || process.argv[1] === module.filename;
}

/** Whether `module` is what Node was asked to run. From TypeScript sources jiti runs it, and `require.main` is not set. */
export function isMain(module: NodeModule): boolean {
  return require.main === module || process.argv[1] === module.filename;
}

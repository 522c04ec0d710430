import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BundleOptions, bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';

/** Where the bundle is, beside the compiled package. */
export const BUNDLE_PATH = join(__dirname, '..', '..', 'workflow-bundle.js');
/** The package, or its sources. */
const ROOT = join(__dirname, '..', '..');

let made: Promise<WorkflowBundleOption> | undefined;

/**
 * The workflows of this package, as one bundle without user code, built with the package. When running from TypeScript
 * sources, as in the tests, it is made once per process, or taken from HOLDFAST_WORKFLOW_BUNDLE.
 */
export function workflowBundle(): Promise<WorkflowBundleOption> {
  made ??= findBundle();
  return made;
}

async function findBundle(): Promise<WorkflowBundleOption> {
  if (__filename.endsWith('.js') && existsSync(BUNDLE_PATH)) return { codePath: BUNDLE_PATH };
  const prepared = process.env.HOLDFAST_WORKFLOW_BUNDLE;
  if (prepared !== undefined && existsSync(prepared)) return { codePath: prepared };
  return makeBundle();
}

/** Bundles the workflows of this package, from sources or from the compiled package. */
export async function makeBundle(): Promise<{ code: string }> {
  const workflowsPath = require.resolve('../../workflows');
  const payloadConverterPath = require.resolve('../../runtime/payloads/payload-converter');
  const failureConverterPath = require.resolve('../../runtime/payloads/failure-converter');
  const workflowInterceptorModules = [
    require.resolve('../../workflows/view/live-page'),
    require.resolve('../../workflows/run/inherited-types'),
    require.resolve('../../workflows/run/carry/cancel-ahead'),
    require.resolve('../../workflows/run/carry/unread-state'),
    require.resolve('../../workflows/run/look-ahead'),
    require.resolve('../../workflows/run/reserved-signals'),
  ];
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    payloadConverterPath,
    failureConverterPath,
    workflowInterceptorModules,
    // Loaded once per worker, not once per run: no module has state (lint/module-state.grit).
    preloadModules: [workflowsPath, payloadConverterPath, failureConverterPath, ...workflowInterceptorModules],
    webpackConfigHook: withNamedLines,
    logger: quiet(),
  });
  return { code: code.replace(SOURCE_MAP, smaller) };
}

const SOURCE_MAP = /(?<=sourceMappingURL=data:application\/json;charset=utf-8;base64,)[\w+/=]+/;

/**
 * The source map without the text of the sources: stacks need only their names, and each thread of a worker would have to
 * read a second bundle's worth of text before it begins. The entry point of the SDK loads modules by absolute paths.
 */
function smaller(sourceMap: string): string {
  const { sourcesContent: _, ...map } = JSON.parse(Buffer.from(sourceMap, 'base64').toString());
  return Buffer.from(JSON.stringify(map).replaceAll(ROOT, '.')).toString('base64');
}

type WebpackConfig = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];

/**
 * Stacks name places in the package, not on the machine that built it; otherwise the package would contain those paths,
 * too. They name lines, without columns: the SDK reads the whole map when a worker's first run begins.
 */
function withNamedLines(config: WebpackConfig): WebpackConfig {
  const sourceOf = ({ absoluteResourcePath: path }: { absoluteResourcePath: string }) =>
    // The sources of the compiled package, and its dependencies, may be beside it.
    relative(ROOT, path).replace(/^(\.\.[\\/])+/, '');
  const output = { ...config.output, devtoolModuleFilenameTemplate: sourceOf };
  return { ...config, devtool: 'inline-cheap-module-source-map', output };
}

/** Webpack's progress is irrelevant, its errors arrive as exceptions. */
function quiet() {
  const silent = () => undefined;
  return { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
}

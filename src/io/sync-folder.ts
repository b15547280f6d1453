/** Names of files that survive a loss of power: a rename or a removal is in its folder, which is written later. */

type FileSystem = typeof import('node:fs');

/** Brings the names in a folder to the disk. Windows opens no folder as a file; its renames are of the journal. */
export async function syncFolder(fs: FileSystem, folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await fs.promises.open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

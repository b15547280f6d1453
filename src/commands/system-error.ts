/** The system's errors about a file, in words. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such folder',
  EISDIR: 'a directory',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'a read-only disk',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'no space left in the quota',
  EFBIG: 'larger than files may be',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many links',
};

/** One line. */
export function whatFailed(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code !== undefined && WORDS[code]) || message;
}

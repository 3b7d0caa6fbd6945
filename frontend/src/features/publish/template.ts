import { LIMITS } from '@/shared/settings';

export type FileProblem = 'notDocx' | 'fileTooLarge' | 'fileEmpty';

/** What can be said of a file before it is sent; the server looks inside. */
export function problemOf(file: Pick<File, 'name' | 'size'>): FileProblem | null {
  if (!/\.docx$/i.test(file.name)) return 'notDocx';
  if (file.size === 0) return 'fileEmpty';
  return file.size > LIMITS.templateBytes ? 'fileTooLarge' : null;
}

/** A title to begin with: the file's name without its ending. */
export function titleOf(file: Pick<File, 'name'>): string {
  return file.name
    .replace(/\.docx$/i, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, LIMITS.titleCharacters);
}

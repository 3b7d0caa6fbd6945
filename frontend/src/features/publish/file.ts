import { LIMITS } from '@/shared/settings';

/** What keeps a file from being sent, as the key of its message. */
export type FileProblem = 'notDocx' | 'fileTooLarge' | 'fileEmpty';

/** Looked at before anything is sent; what is inside is the server's to judge. */
export function fileProblem(file: { name: string; size: number }): FileProblem | null {
  if (!file.name.toLowerCase().endsWith('.docx')) return 'notDocx';
  if (file.size === 0) return 'fileEmpty';
  return file.size > LIMITS.templateBytes ? 'fileTooLarge' : null;
}

/** A first title out of a file's name: `rental_agreement-v2.docx` → `rental agreement v2`. */
export function titleOfFile(name: string): string {
  return name
    .replace(/\.docx$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim()
    .slice(0, LIMITS.titleCharacters);
}

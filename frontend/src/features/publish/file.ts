import { LIMITS } from '@/shared/settings';

/** The reason why a file cannot be sent, as the key of its message. */
export type FileProblem = 'notDocx' | 'fileTooLarge' | 'fileEmpty';

/** Checks a file before it is sent; its content is checked by the server. */
export function fileProblem(file: { name: string; size: number }): FileProblem | null {
  if (!file.name.toLowerCase().endsWith('.docx')) return 'notDocx';
  if (file.size === 0) return 'fileEmpty';
  return file.size > LIMITS.templateBytes ? 'fileTooLarge' : null;
}

/** Proposes a title from a file name: `rental_agreement-v2.docx` → `rental agreement v2`. */
export function titleOfFile(name: string): string {
  return name
    .replace(/\.docx$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim()
    .slice(0, LIMITS.titleCharacters);
}

import { answerOf, api } from '@/api/client';
import { fileBytes, saveFile } from '@/shared/files';

/** Fetches everything that is kept of whoever is logged in, and saves it as one file. */
export async function saveExport(): Promise<void> {
  const { fileName, file, fileUrl } = await answerOf(api.GET('/api/v1/users/me/export'));
  saveFile(await fileBytes(file, fileUrl), fileName, 'application/zip');
}

/** A code to one's own address, by which the account can be deleted without its password. */
export async function mailDeletionCode(): Promise<void> {
  await answerOf(api.POST('/api/v1/users/me/deletion-code'));
}

export async function deleteAccount(proof: { password?: string; code?: string }): Promise<void> {
  await answerOf(api.DELETE('/api/v1/users/me', { body: proof }));
}

import { answerOf, api } from '@/api/client';
import { fileBytes, saveFile } from '@/shared/files';

/** Downloads all stored data of the user as one file. */
export async function saveExport(): Promise<void> {
  const { fileName, file, fileUrl } = await answerOf(api.GET('/api/v1/users/me/export'));
  saveFile(await fileBytes(file, fileUrl), fileName, 'application/zip');
}

/** Mails a code to the user's own address. It allows the account to be deleted without its password. */
export async function mailDeletionCode(): Promise<void> {
  await answerOf(api.POST('/api/v1/users/me/deletion-code'));
}

export async function deleteAccount(proof: { password?: string; code?: string }): Promise<void> {
  await answerOf(api.DELETE('/api/v1/users/me', { body: proof }));
}

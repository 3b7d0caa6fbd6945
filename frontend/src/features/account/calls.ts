import { responseBody, api } from '@/api/client';
import { fileBytes, saveFile } from '@/shared/files';

/** Downloads all stored data of the user as one file. */
export async function downloadExport(): Promise<void> {
  const { fileName, file, fileUrl } = await responseBody(api.GET('/api/v1/users/me/export'));
  saveFile(await fileBytes(file, fileUrl), fileName, 'application/zip');
}

/** Mails a code to the user's own address. It allows the account to be deleted without its password. */
export async function sendDeletionCode(): Promise<void> {
  await responseBody(api.POST('/api/v1/users/me/deletion-code'));
}

export async function deleteAccount(proof: { password?: string; code?: string }): Promise<void> {
  await responseBody(api.DELETE('/api/v1/users/me', { body: proof }));
}

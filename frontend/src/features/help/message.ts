import { ApiError } from '@/api/error';
import { LIMITS } from '@/shared/settings';

export interface HelpMessage {
  email: string;
  message: string;
}

export type MessageProblem = 'emailRequired' | 'messageRequired' | 'messageTooLong';

/** Counts characters like the server: of the NFC text without surrounding white space. */
export function messageLength(message: string): number {
  return [...message.normalize('NFC').trim()].length;
}

/** Returns everything that prevents sending the message. Logged-in users need no address. */
export function messageProblems(
  { email, message }: HelpMessage,
  isGuest: boolean,
): { [Field in keyof HelpMessage]?: MessageProblem } {
  const problems: { [Field in keyof HelpMessage]?: MessageProblem } = {};
  if (isGuest && !email.trim()) problems.email = 'emailRequired';
  const length = messageLength(message);
  if (length === 0) problems.message = 'messageRequired';
  if (length > LIMITS.messageCharacters) problems.message = 'messageTooLong';
  return problems;
}

/** Returns the field that a refusal is shown next to, or null for a limit or an outage. */
export function failedField(error: unknown): keyof HelpMessage | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  if (error.code.startsWith('message_')) return 'message';
  return error.code.endsWith('_email') || error.code === 'email_required' ? 'email' : null;
}

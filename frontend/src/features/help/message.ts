import { ApiError } from '@/api/error';
import { LIMITS } from '@/shared/settings';

export interface Message {
  email: string;
  message: string;
}

export type MessageProblem = 'emailRequired' | 'messageRequired' | 'messageTooLong';

/** Characters as the server counts them: of the composed text, without what is blank around it. */
export function lengthOf(message: string): number {
  return [...message.normalize('NFC').trim()].length;
}

/** Everything that keeps a message from being sent. Who is logged in has an address already. */
export function problemsOf(
  { email, message }: Message,
  guest: boolean,
): { [Field in keyof Message]?: MessageProblem } {
  const problems: { [Field in keyof Message]?: MessageProblem } = {};
  if (guest && !email.trim()) problems.email = 'emailRequired';
  const length = lengthOf(message);
  if (length === 0) problems.message = 'messageRequired';
  if (length > LIMITS.messageCharacters) problems.message = 'messageTooLong';
  return problems;
}

/** Beside which field a refusal of the server stands; null: it is about none, such as a limit or an outage. */
export function fieldOf(error: unknown): keyof Message | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  if (error.code.startsWith('message_')) return 'message';
  return error.code.endsWith('_email') || error.code === 'email_required' ? 'email' : null;
}

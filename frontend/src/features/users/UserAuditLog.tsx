import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { ListedUser, UserAuditEvent } from '@/api/types';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { Failure } from '@/shared/ui/Failure';
import { AuditLog } from '@/shared/ui/AuditLog';

const PART_TEXTS = {
  user_name: 'users.partUserName',
  photo: 'users.partPhoto',
  country: 'users.partCountry',
  language: 'users.partLanguage',
  email: 'users.partEmail',
  password: 'users.partPassword',
  google: 'users.partGoogle',
} as const;

/** The audit log of an account. */
export function UserAuditLog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useQuery({
    queryKey: ['user-history', user._id],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/users/{id}/history', { params: { path: { id: user._id } }, signal })),
    // Always loaded again, to include the latest events.
    staleTime: 0,
  });
  const title = ({ what, parts, role }: UserAuditEvent): string => {
    if (what === 'joined') return t('users.joined');
    if (what === 'role_changed')
      return role === 'admin' ? t('users.roleBecameAdmin') : t('users.roleBecameUser');
    const names = parts.map((part) => t(PART_TEXTS[part]));
    return t('users.changed', { parts: new Intl.ListFormat(i18n.language).format(names) });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('users.historyTitle', { name: `\u2068${user.name}\u2069` })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {error && (
        <Failure title={t('users.historyFailed')} hint={errorText(error)} onRetry={() => void refetch()} />
      )}
      {!error && !data && <p role="status">{t('loading')}</p>}
      {data?.history.length === 0 && <p>{t('users.noHistory')}</p>}
      {data && (
        <AuditLog
          entries={data.history}
          title={title}
          author={({ by }) => (by ? (by.name ?? t('users.byDeleted')) : t('users.byInstallation'))}
        />
      )}
    </Modal>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { User } from '@/api/types';
import { updateSession, useSession } from '@/shared/session/session';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { AccountForm } from './AccountForm';
import classes from './AccountPage.module.css';
import { DataAndDeletion } from './DataAndDeletion';

/** The account settings. They show the stored data first and then reload it. */
export function AccountPage() {
  const { t } = useTranslation();
  const user = useSession()?.user;
  usePageTitle(t('accountSettings'));

  useQuery({
    queryKey: ['me', user?._id],
    queryFn: async ({ signal }): Promise<User> => {
      const response = await responseBody(api.GET('/api/v1/users/me', { signal }));
      updateSession(response.user);
      return response.user;
    },
    enabled: user !== undefined,
    staleTime: 0,
  });

  if (!user) return null;
  return (
    <>
      <header className={classes['header']}>
        <h1>{t('accountSettings')}</h1>
      </header>
      <AccountForm key={user._id} user={user} />
      <DataAndDeletion user={user} />
    </>
  );
}

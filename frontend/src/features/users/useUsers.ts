import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { ListedUser, User, UsersQuery } from '@/api/types';

const LIST_KEY = 'users';

/** Returns the query options of one page of the list. */
export function usersQuery(query: UsersQuery) {
  return {
    queryKey: [LIST_KEY, query],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      responseBody(api.GET('/api/v1/users', { params: { query }, signal })),
  };
}

interface UserList {
  users: ListedUser[];
  total: number;
}

/** Removes a user from the visible lists at once; the next response of the server replaces them. */
function removeFromLists(queryClient: QueryClient, id: string): void {
  queryClient.setQueriesData<UserList>({ queryKey: [LIST_KEY] }, (list) =>
    list?.users.some(({ _id }) => _id === id)
      ? { users: list.users.filter(({ _id }) => _id !== id), total: list.total - 1 }
      : list,
  );
}

/**
 * Returns an admin's actions on users. Each reports its result by a toast. `onDeleted` is called when the row is
 * removed.
 */
export function useUserActions(onDeleted: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: [LIST_KEY] });

  const remove = useMutation({
    mutationFn: ({ _id: id }: ListedUser) =>
      responseBody(api.DELETE('/api/v1/users/{id}', { params: { path: { id } } })),
    onSuccess: (_, { _id: id }) => {
      removeFromLists(queryClient, id);
      refresh();
      toast.success(t('users.deleted'));
      onDeleted();
    },
    onError: () => refresh(),
    meta: { failureText: (msg) => t('users.deleteFailed', { msg }) },
  });

  const changeRole = useMutation({
    mutationFn: ({ user, role }: { user: ListedUser; role: User['role'] }) =>
      responseBody(api.PATCH('/api/v1/users/{id}', { params: { path: { id: user._id } }, body: { role } })),
    onSuccess: () => {
      refresh();
      toast.success(t('users.roleChanged'));
    },
    onError: () => refresh(),
    meta: { failureText: (msg) => t('users.roleFailed', { msg }) },
  });

  return { remove, changeRole };
}

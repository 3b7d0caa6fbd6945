import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { ApiError } from '@/api/error';
import type { User } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { leaveForGood } from '@/shared/session/session';
import { PasswordField } from '@/shared/ui/PasswordField';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import classes from './AccountPage.module.css';
import { deleteAccount, mailDeletionCode } from './ownData';
import { sessionHasEnded } from './save';

interface Proof {
  password: string;
  code: string;
}

/** Explains the deletion of an account, and asks for the password or for a code that is mailed. */
export function DeletionDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const [way, setWay] = useState<keyof Proof>('password');

  const mail = useMutation({
    mutationFn: mailDeletionCode,
    onSuccess: () => {
      toast.success(t('otpPage.codeSent'));
      turnTo('code');
    },
    // A code from the last minute is still valid.
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'mail_wait') turnTo('code');
    },
  });
  const remove = useMutation({
    mutationFn: (proof: Proof) => deleteAccount({ [way]: proof[way] }),
    onSuccess: leaveForGood,
    onError: () => form.focusFirstWrong(),
  });
  const form = useCheckedForm<Proof, 'passwordRequired' | 'codeRequired'>({
    initialValues: { password: '', code: '' },
    check: ({ password, code }) => {
      if (way === 'password') return password ? {} : { password: 'passwordRequired' };
      return code.trim() ? {} : { code: 'codeRequired' };
    },
    say: (problem) => t(`ownData.${problem}`),
    onChange: () => remove.reset(),
    onSubmit: (proof) => remove.mutate(proof),
  });
  const turnTo = (other: keyof Proof) => {
    setWay(other);
    form.forgetProblems();
    remove.reset();
  };

  const refused = remove.error instanceof ApiError && remove.error.status === 400;
  const wrong = way === 'password' ? t('ownData.wrongPassword') : t('errors.invalid_otp');
  /** An error that belongs to no field: a limit, an outage, or the last admin. */
  const general = [remove.error, mail.error].find(
    (error) => error && !(error === remove.error && refused) && !sessionHasEnded(error),
  );

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('ownData.deleteTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form {...form.element}>
        <Stack>
          <div>
            <Text size="sm">{t('ownData.goes')}</Text>
            <ul className={classes['goes']}>
              <li>{t('ownData.goesAccount')}</li>
              <li>{t('ownData.goesDocuments')}</li>
              <li>{t('ownData.goesMessages')}</li>
            </ul>
            <Text size="sm" fw={600}>
              {t('ownData.forEver')}
            </Text>
          </div>
          {way === 'password' ? (
            <PasswordField
              label={t('loginPage.password')}
              autoComplete="current-password"
              data-autofocus
              {...form.input('password')}
              error={form.errorOf('password') ?? (refused ? wrong : null)}
            />
          ) : (
            <TextInput
              key="code"
              label={t('ownData.code')}
              description={
                <>
                  {t('otpPage.lead')}{' '}
                  <bdi dir="ltr" className="address">
                    {user.email}
                  </bdi>
                </>
              }
              inputMode="numeric"
              autoComplete="one-time-code"
              dir="ltr"
              autoFocus
              {...form.input('code')}
              error={form.errorOf('code') ?? (refused ? wrong : null)}
            />
          )}
          <Group gap="xs">
            <Button
              variant="subtle"
              size="compact-sm"
              loading={mail.isPending}
              onClick={() => mail.mutate(undefined)}
            >
              {way === 'password' ? t('ownData.mailCode') : t('otpPage.resend')}
            </Button>
            {way === 'code' && (
              <Button variant="subtle" size="compact-sm" onClick={() => turnTo('password')}>
                {t('ownData.usePassword')}
              </Button>
            )}
          </Group>
          {general && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {errorText(general, t)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={remove.isPending}>
              {t('ownData.deleteForEver')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
